"""Small nets: inference in compiled code, what they say, and their files."""
