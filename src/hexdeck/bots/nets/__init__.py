"""Small neural nets: their files, and inference in compiled code."""
