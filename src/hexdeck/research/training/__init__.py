"""Learning to play: self-play, imitation, adversaries."""
