"""Deals of the day in the database: whose they are, how bots fared, and links that carry all seats of a browser."""
