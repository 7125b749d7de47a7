"""Presentation of the results of studies: printed texts, HTML pages and files."""
