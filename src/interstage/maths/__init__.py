"""Mathematics that knows no vehicles."""
