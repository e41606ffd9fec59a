"""The deal of the day: for each game the same cards for everybody on a server, against the same bots."""
