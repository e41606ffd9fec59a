"""The full screen, with mouse and keys (Textual)."""
