"""Commands for who trains and rates bots."""
