"""Probes: does it pay to fold early, to bluff, to collect? One line forces a way of playing on a bot."""
