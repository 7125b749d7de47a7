"""Readers and writers of file formats that other programs define, a file for each format."""
