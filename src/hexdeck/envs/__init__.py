"""The games in the forms of research frameworks: adapters that translate, know no rule and name no game."""
