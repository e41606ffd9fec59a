"""How the stored tables came to be as they are; run at every start."""
