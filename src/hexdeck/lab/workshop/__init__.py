"""The workshop: figures of a variant and its paired difference with another, narrower the longer one looks."""
