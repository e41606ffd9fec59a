"""Evenings: several deals with chips that are carried on. Who wins, who is out early, whether leads feed themselves."""
