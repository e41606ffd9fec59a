"""Pages made of views: models, templates, cards, files."""
