"""Black Hearts."""
