"""Bots that look ahead: tree search and rollouts."""
