"""From views to HTML: models, templates."""
