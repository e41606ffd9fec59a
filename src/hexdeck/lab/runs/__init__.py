"""Many games played and kept: tables on disk, clusters, tournaments."""
