"""Live tables: seats, clocks, storage. It knows nothing of pages."""
