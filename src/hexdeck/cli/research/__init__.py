"""Commands to train and rate bots."""
