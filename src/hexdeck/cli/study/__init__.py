"""Commands for playtests."""
