"""The faces of bots, and the signs of big moments, for `tools/sprite.py`: a few shapes each, in boxes of 100 by 100."""

from __future__ import annotations

HAIR, DARK, WHITE, GOLD = "#2a1d2e", "#20222e", "#fffaf0", "#e9c46a"
LINE = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'
SMILE, CALM, WRY, OPEN = "M39 68Q50 79 61 68", "M41 71H59", "M40 72Q52 74 60 66", "M43 68Q50 80 57 68Z"

# Behind the head, the head's tone, the mouth, and one feature before it, by the name of a bot in small letters.
FACES = {
    "ada": ("#7a4fb5", "#f0c9a4", SMILE,
            (f'<path d="M20 44Q22 16 50 16T80 44Q66 30 50 31T20 44Z" fill="{HAIR}"/>'
            f'<g {LINE} stroke="{DARK}" stroke-width="4"><circle cx="37" cy="51" r="11.5"/><circle cx="63" cy="51" r="11.5"/>'
            '<path d="M48.5 50Q50 47 51.5 50"/></g>')),
    "bram": ("#1f7a5a", "#e8b088", "M44 77H56",
             ('<path d="M24 38Q28 15 50 16T76 38L68 30 58 34 46 28 34 35Z" fill="#8a4b1f"/>'
             '<path d="M50 64C44 58 32 60 27 69 36 74 46 73 50 67 54 73 64 74 73 69 68 60 56 58 50 64Z" fill="#8a4b1f"/>')),
    "cleo": ("#c0487a", "#d99a6c", SMILE,
             (f'<path d="M18 70Q12 14 50 14T82 70L74 72V42H26V72Z" fill="{HAIR}"/>'
             f'<path d="M26 42H74" stroke="{GOLD}" stroke-width="5"/>')),
    "dirk": ("#2f6fb0", "#f2cfb0", CALM,
             ('<path d="M22 52C22 88 38 92 50 92S78 88 78 52Q76 62 64 61 50 58 36 61 24 62 22 52Z" fill="#c9702b"/>'
             f'<path d="M41 71Q50 76 59 71" stroke="{WHITE}" stroke-width="4" {LINE}/>')),
    "elsa": ("#2b8ea6", "#f6d7bd", SMILE,
             '<circle cx="50" cy="13" r="11" fill="#e8c874"/><path d="M22 46Q24 17 50 17T78 46Q66 28 50 28T22 46Z" fill="#e8c874"/>'),
    "finn": ("#b5562a", "#f4c6a0", OPEN,
             ('<path d="M30 30Q44 4 56 20 58 8 70 14 66 22 72 32 52 22 30 30Z" fill="#d9481c"/>'
             '<g fill="#b5562a"><circle cx="30" cy="61" r="2"/><circle cx="36" cy="65" r="2"/><circle cx="70" cy="61" r="2"/>'
             '<circle cx="64" cy="65" r="2"/></g>')),
    "gwen": ("#5a7d2a", "#a8673f", SMILE,
             (f'<path d="M18 58Q8 12 50 12T82 58Q80 36 66 30 50 36 34 30 20 36 18 58Z" fill="{DARK}"/>'
             f'<g fill="{GOLD}"><circle cx="21" cy="66" r="5"/><circle cx="79" cy="66" r="5"/></g>')),
    "hugo": ("#8c2f39", "#eec39a", WRY,
             f'<path d="M14 34H86V27H70V6H30V27H14Z" fill="{DARK}"/><path d="M30 22H70" stroke="#8c2f39" stroke-width="5"/>'),
    "iris": ("#4a56c2", "#c98a5e", OPEN,
             ('<path d="M20 60Q14 16 50 16T80 60Q76 30 50 30T20 60Z" fill="#5b2c83"/>'
             f'<g fill="{WHITE}"><circle cx="74" cy="18" r="6"/><circle cx="84" cy="26" r="6"/><circle cx="70" cy="29" r="6"/>'
             f'<circle cx="81" cy="37" r="6"/></g><circle cx="77" cy="28" r="5" fill="{GOLD}"/>')),
    "joop": ("#6b6f80", "#f2c4ae", CALM,
             (f'<g {LINE} stroke="#d8d5cc" stroke-width="7"><path d="M28 39L43 42"/><path d="M72 39L57 42"/></g>'
             '<path d="M45 58Q50 66 55 58" fill="#df9a82"/>')),
}  # fmt: skip
SIGNS = {
    "moon": '<circle cx="50" cy="50" r="46" fill="#f4ecc8"/><g fill="#d9cc9a"><circle cx="36" cy="38" r="9"/>'
            '<circle cx="62" cy="58" r="12"/><circle cx="60" cy="28" r="5"/><circle cx="34" cy="68" r="6"/></g>',
    "flame": '<path d="M46 58H54L52 98H48Z" fill="#5a3a1c"/>'
             '<path d="M50 4C58 20 72 30 70 48 68 62 58 66 50 66S32 62 30 48C29 38 36 34 38 24 44 28 46 34 46 38 52 30 52 16 50 4Z" fill="#ff9d2e"/>'
             '<path d="M50 34C54 42 60 46 58 54 56 61 44 61 42 54 41 49 47 44 50 34Z" fill="#fff0a8"/>',
    "rope": f'<g {LINE} stroke="#3a2a12" stroke-width="11"><path d="M50 3V34"/><ellipse cx="50" cy="64" rx="28" ry="29"/></g>'
            f'<g {LINE} stroke="#d8b273" stroke-width="6"><path d="M50 3V34"/><ellipse cx="50" cy="64" rx="28" ry="29"/></g>'
            f'<g {LINE} stroke="#8a6a3a" stroke-width="5"><path d="M42 20H58M41 27H59M41 34H59"/></g>',
    "bullet": '<path d="M8 32H52C74 32 88 42 96 50 88 58 74 68 52 68H8Z" fill="#e6ebf5" stroke="#2b3347" stroke-width="4" stroke-linejoin="round"/>'
              '<path d="M12 36H52C66 36 76 41 84 46 64 43 40 43 12 44Z" fill="#fff"/><path d="M22 32V68M34 32V68" stroke="#8d98b3" stroke-width="4"/>',
    "claws": '<g fill="#ff5a4d"><path d="M26 6C34 34 32 66 16 94 40 70 44 34 26 6Z"/><path d="M52 2C60 34 58 68 42 98 68 72 72 34 52 2Z"/>'
             '<path d="M78 6C86 34 84 66 68 94 92 70 96 34 78 6Z"/></g>',
    "crown": f'<path d="M12 82V34L32 54 50 18 68 54 88 34V82Z" fill="{GOLD}"/><path d="M12 82H88" {LINE} stroke="#a8741c" stroke-width="10"/>',
    "star": f'<path d="M50 6L61 37 94 38 68 58 77 90 50 71 23 90 32 58 6 38 39 37Z" fill="{GOLD}"/>',
    "chip": f'<circle cx="50" cy="50" r="46" fill="{GOLD}"/><circle cx="50" cy="50" r="30" fill="none" stroke="#8a6a1a" stroke-width="5"/>'
            '<g stroke="#fff6da" stroke-width="11"><path d="M50 4V18M50 82V96M4 50H18M82 50H96"/></g>',
}  # fmt: skip


def face(name: str) -> str:
    """A bot's face, in a disc."""
    ground, skin, mouth, feature = FACES[name]
    fill = f'fill="{DARK}"' if mouth.endswith("Z") else LINE
    return (
        f'<circle cx="50" cy="50" r="50" fill="{ground}"/><ellipse cx="50" cy="56" rx="30" ry="34" fill="{skin}"/>'
        f'<g fill="{DARK}"><circle cx="37" cy="51" r="4.6"/><circle cx="63" cy="51" r="4.6"/></g>'
        f'<path d="{mouth}" {fill} stroke="{DARK}" stroke-width="4"/>{feature}'
    )
