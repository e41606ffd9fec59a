"""What runs a server: settings, limits, measures, logs."""
