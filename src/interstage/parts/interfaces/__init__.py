"""Loads at the interfaces of joints."""
