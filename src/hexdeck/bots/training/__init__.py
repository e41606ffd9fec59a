"""Learning to play: self-play, imitation, values, adversaries."""
