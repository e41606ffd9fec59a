"""Settings, limits, metrics, logs."""
