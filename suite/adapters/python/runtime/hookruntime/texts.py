"""Texts as a case writes them, and the few string operations in which Python and JavaScript differ."""

import base64

# What JavaScript's trim() removes: white space, line ends, and the byte order mark.
WHITE_SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)


def trim(text):
    """JavaScript's trim(). Python's own strip() keeps U+FEFF and removes U+0085 and U+001C to U+001F."""
    return text.strip(WHITE_SPACE)


def to_bytes(value):
    """The bytes of a text: a string, {"base64"}, {"fill": [unit, count]} or {"join": [text, ...]}."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    if isinstance(value, dict) and len(value) == 1:
        form, inner = next(iter(value.items()))
        if form == "base64":
            return base64.b64decode(inner)
        if form == "fill":
            return to_bytes(inner[0]) * inner[1]
        if form == "join":
            return b"".join(map(to_bytes, inner))
    raise ValueError("a text is a string, or an object with `base64`, `fill` or `join`")


def to_str(value):
    """The decoded text. What is not UTF-8 becomes U+FFFD (A-12). A join is decoded as a whole, not part by part."""
    if isinstance(value, str):
        return value
    return to_bytes(value).decode("utf-8", "replace")


def well_formed(text):
    """The text with lone surrogates replaced (A-22); a pair of them becomes the character that it stands for."""
    try:
        text.encode("utf-8")
        return text
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def length(text):
    """Length in UTF-16 units (A-100)."""
    if text.isascii():
        return len(text)
    return len(text) + sum(1 for character in text if character > "\uffff")


def cut(text, limit):
    """The longest beginning of at most `limit` UTF-16 units that does not end in the middle of a character."""
    if length(text) <= limit:
        return text
    if text.isascii():
        return text[:limit]
    room = limit
    for index, character in enumerate(text):
        room -= 2 if character > "\uffff" else 1
        if room < 0:
            return text[:index]
    return text


def first_line(text):
    """The first line without its end; the empty string of an empty text."""
    return text.split("\n", 1)[0].rstrip("\r")
