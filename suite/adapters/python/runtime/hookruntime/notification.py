"""Notification: the user is told something; hooks may pass it on, and that is all. (chapter: Notification)"""

from .inputs import as_given
from .reading import read_command  # noqa: F401

NAME = "Notification"
MATCHES_ON = "notification_type"  # MATCH-TGT-NOTIF
TIMEOUT = 600
PERMISSION_MODE = IN_A_TURN = SHOWS_ERRORS = False  # EXIT-2-EV-Notification
OWN_FIELDS = {}
complete_input = as_given


def decide(outcome, readings, given, session):
    for reading in readings:  # NOTIF-OUT-01, -02: the one thing that an answer can do
        outcome.terminal_sequence(reading, session.host)
