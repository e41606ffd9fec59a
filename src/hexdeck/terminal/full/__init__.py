"""The full screen: the same table as a Textual app, with mouse and keys; it knows no game either."""
