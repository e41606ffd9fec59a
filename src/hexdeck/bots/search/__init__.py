"""Bots that think: tree search, rollouts, and what moves bring on average."""
