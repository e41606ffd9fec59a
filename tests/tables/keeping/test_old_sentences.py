"""A table that was stored in an older wording tells its log in today's, in its reader's language."""

import re

from hexdeck.cli.parser import LOCALE
from hexdeck.engine.text import Catalogue, say
from hexdeck.engine.text import Seat as Named
from hexdeck.engine.view import Fact
from hexdeck.tables.service.renamed_sentences import NOW, stored_fact


def placeholders(key: str) -> set[str]:
    """The names in braces."""
    return set(re.findall(r"\{(\w+)\}", key))


def test_each_old_sentence_has_the_arguments_of_the_new_one_and_is_said_no_more() -> None:
    dutch = Catalogue("nl", (LOCALE,))
    for old, new in NOW.items():
        assert placeholders(old) == placeholders(new)
        args = dict.fromkeys(placeholders(new), "x")
        assert dutch.words(say(new, **args)) != Catalogue("en").words(say(new, **args)), new
        assert dutch.words(say(old, **args)) == Catalogue("en").words(say(old, **args)), old


def test_an_old_sentence_is_read_in_todays_words_with_what_it_names() -> None:
    fact = stored_fact(Fact(65535, say("{name} sets the table.", name="Ada")).data())
    assert [Catalogue(lang, (LOCALE,)).words(fact.text) for lang in ("en", "nl")] == [
        "Ada sets up the table.",
        "Ada maakt de tafel.",
    ]
    muted = stored_fact(Fact(3, say("The host has silenced {seat}.", seat=Named(1))).data())
    assert muted.audience == 3 and muted.text.key == "The host has muted {seat}."
    kept = Fact(1, say("{name} takes a seat.", name="Bo"))
    assert stored_fact(kept.data()) == kept
