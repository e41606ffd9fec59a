"""Bots' names as people type and read them (`easy`, `medium`, `hard`), and as files keep them; it imports nothing."""

SPOKEN = {"easy": "gentle", "medium": "steady", "hard": "sharp"}  # as people say it, as files keep it
OUTSIDE = "run:", "prompt:", "chat:"  # players that aren't ours: the rest of their names stays as it is
MANNERS = "bold", "careful", "sly"  # what may follow a bot's name, such as hard:bold
KEPT = {name: word for word, name in SPOKEN.items()}


def kept(name: str) -> str:
    """A bot's name as files keep it: `gentle` for `easy`, `search:gentle:20` for `search:easy:20`."""
    return _word_by_word(name, SPOKEN)


def spoken(name: str) -> str:
    """A bot's name as people type and read it: `easy` for `gentle`."""
    return _word_by_word(name, KEPT)


def parted(name: str) -> tuple[str, str]:
    """A bot's name without its manner, and the manner; that is empty where it has none."""
    plain, _colon, manner = name.rpartition(":")
    return (plain, manner) if manner in MANNERS and not name.startswith(OUTSIDE) else (name, "")


def _word_by_word(name: str, words: dict[str, str]) -> str:
    """A bot's name with some words replaced; that of a program or model (`run:…`) stays as it is."""
    return name if name.startswith(OUTSIDE) else ":".join(words.get(word, word) for word in name.split(":"))
