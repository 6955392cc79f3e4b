"""The allowlist for `terminalSequence` (TERM-03 to TERM-13, TERM-20)."""

import re

# One or more of: OSC 0, 1, 2, 9, 99, 777 ended by BEL or ST, or a bare BEL. A payload holds no control character, C1
# included. One thing that does not fit refuses the whole value.
_ALLOWED = re.compile(
    r"(?:\x07|\x1b\](?:0|1|2|9|99|777);[^\x00-\x1f\x7f-\x9f]*(?:\x07|\x1b\\))+"
)


def is_allowed(sequence):
    return _ALLOWED.fullmatch(sequence) is not None
