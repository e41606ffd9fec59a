"""Evenings in reports and simulations: the table and the findings."""
