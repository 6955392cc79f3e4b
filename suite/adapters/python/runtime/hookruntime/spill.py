"""The limit on texts that hooks hand to the model and the user (SPILL-01 to SPILL-09)."""

from .texts import cut, length

LIMIT = 10_000    # a text of exactly this length passes
PREVIEW = 2_000


def spill(text):
    """(what the reader gets, the whole text that lies in a file instead, or None)."""
    size = length(text)
    if size <= LIMIT:
        return text, None
    return f"[{size} characters, saved to a file of the session; it begins:]\n{cut(text, PREVIEW)}", text
