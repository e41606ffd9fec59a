"""Play in the browser: pages, streams, the HTTP API."""
