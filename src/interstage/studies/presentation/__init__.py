"""Present the results of studies in printed texts, HTML pages and files."""
