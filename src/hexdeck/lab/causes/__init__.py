"""Why results are as they are: where points come from, and what cards and actions do."""
