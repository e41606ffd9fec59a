"""What a running server knows: its tables, streams, who is there."""
