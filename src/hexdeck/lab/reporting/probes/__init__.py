"""Probes in reports and on a page of their own: the table and the sentences."""
