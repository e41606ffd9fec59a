"""Power loss, full disks and broken ones, under the product's own store."""
