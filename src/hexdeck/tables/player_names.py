"""Names and words as people type them: on one line, nothing invisible, whole signs; and names that look alike."""

from collections.abc import Iterator, Sequence
from typing import Any
from unicodedata import category, normalize

from hexdeck.bots.players.levels import BOT_NAMES

LONGEST_NAME = 16  # characters
MOST_MARKS = 2  # combining marks on a letter: more would paint over other lines
MARKS = ("Mn", "Me", "Mc")
JOINER, AS_PICTURE, FLAG = "\u200d", "\ufe0f", "\U0001f3f4"  # parts of emoji: of a family, of a heart, of Wales
KEY = "\ufe0f\u20e3"  # what makes a key of a number
FILLERS = (0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0)
VARIANTS = (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
BLANK = frozenset(map(chr, (*FILLERS, *VARIANTS)))  # letters and marks that print nothing
LIKE = (  # a Latin letter, and what looks like it: letters of other alphabets, numbers and signs
    "aАаΑαɑᴀꓮᎪᗅⲀ bВвΒβЬьʙꓐᏴᏏᗷᑲᖯⲂ cСсϲᴄꓚᏟᑕⲤⲥ dԁɗᴅđꓓᎠᏧᑯᗞᗪ eЕеΕεёᴇꓰᎬᗴ fꜰꓝᖴ gɡɢցꓖᏀᏳ "  # noqa: RUF001
    "hНнΗһʜħհꓧᎻᏂᕼⲎ iΙιІіıɪɩꓲᎥⲒ jЈјȷᴊյꓙᎫᒍ kКкΚκᴋꓗᏦⲔ l1|ⅼӀӏłʟꓡᏞᒪԼ mМмΜᴍꓟᎷᗰⲘ nΝηпɴոꓠᑎⲚ "  # noqa: RUF001
    "o0ОоΟοøσᴏօꓳⲞⲟ pРрΡρᴘꓑᏢᑭⲢⲣ qԛզ rгʀꓣᎡᏒᖇ sЅѕꜱՏꓢᏕᏚᔕ tТтΤτŧᴛꓔᎢⲦ uυᴜսꓴᑌ vѵνᴠꓦᏙᐯ wԝωᴡꓪᎳᏔᗯ "  # noqa: RUF001
    "xХхΧχꓫᕁᕽ᙭Ⲭ yУуΥүγʏꓬᎩᎽⲨ zΖᴢꓜᏃᙆ "  # noqa: RUF001
)
LATIN = str.maketrans({other: group[0] for group in LIKE.split() for other in group[1:]})


# --- signs ------------------------------------------------------------------------------------------------------------
def signs(text: str) -> Iterator[str]:
    """The signs of a text as its readers see them: a letter with its marks, an emoji with all its parts."""
    sign = ""
    for letter in text:
        extends = (
            category(letter) in MARKS or letter == JOINER or is_tag(letter) or "\U0001f3fb" <= letter <= "\U0001f3ff"
        )
        pairs = is_regional(letter) and len(sign) == 1 and is_regional(sign)
        if sign and not (extends or pairs or sign[-1] == JOINER):
            yield sign
            sign = ""
        sign += letter
    if sign:
        yield sign


def is_tag(letter: str) -> bool:
    """Whether it is one of the invisible letters that say whose flag an emoji is."""
    return "\U000e0020" <= letter <= "\U000e007f"


def is_regional(letter: str) -> bool:
    """Whether it is one of the letters of which two are the flag of a country."""
    return "\U0001f1e6" <= letter <= "\U0001f1ff"


def visible(sign: str) -> str:
    """What can be seen of a sign; of an emoji all its parts."""
    out, marks, is_emoji = "", 0, category(sign[0]) == "So" or sign[1:] == KEY
    for letter in sign:
        part = (is_emoji and letter in (JOINER, AS_PICTURE)) or (sign[0] == FLAG and is_tag(letter))
        marks += category(letter) in MARKS and not part
        if part or (letter.isprintable() and letter not in BLANK and marks <= (MOST_MARKS if out else 0)):
            out += letter
    return out.rstrip(JOINER)


def cut(text: str, length: int) -> str:
    """As many signs of a text as fit into so many characters, each whole."""
    out = ""
    for sign in signs(text):
        if len(out + sign) > length:
            break
        out += sign
    return out.strip()


def one_line(text: str) -> str:
    """Words on one line, without what can't be seen, and with at most a few combining marks on a letter."""
    return " ".join("".join(map(visible, signs(" ".join(text.split())))).split())


# --- names ------------------------------------------------------------------------------------------------------------
def cleaned_name(name: Any) -> str:
    """A name as it is stored: on one line, nothing invisible, not too long; empty where nothing is left."""
    return cut(one_line(name), LONGEST_NAME) if isinstance(name, str) else ""


def appearance(name: str) -> str:
    """What names that look alike have in common: other alphabets, capitals, accents, spaces and dots aside."""
    bare = "".join(letter for letter in normalize("NFKD", name) if category(letter) not in MARKS)
    plain = bare.translate(LATIN).casefold().translate(LATIN).replace("rn", "m").replace("vv", "w").replace("i", "l")
    return "".join(filter(str.isalnum, plain)) or plain.replace(JOINER, "")


def free_name(name: str, used: Sequence[str], seat: int) -> str:
    """A name that looks like no other seat's: this one, numbered if need be; a bot's where it is empty.

    People who choose none are called `GUEST`, in their language where the caller knows it.
    """
    numbered = (name, *(f"{cut(name, LONGEST_NAME - 3)} {k}" for k in range(2, 30)))
    looks = set(map(appearance, used))
    choices = numbered if name else (BOT_NAMES[seat % len(BOT_NAMES)], *BOT_NAMES)
    return next(own for own in choices if appearance(own) not in looks)
