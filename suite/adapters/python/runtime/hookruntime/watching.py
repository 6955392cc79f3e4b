"""What CwdChanged and FileChanged have in common: nothing to decide, and a list of files to be watched."""


def decide(outcome, readings, given, session):
    on_screen = session.host["surface"] == "terminal"
    for reading in readings:
        # CWD-OUT-05, FILECHG-OUT-03: no `continue`, and the message is for a terminal alone
        outcome.universal(reading, session.host, may_stop=False, shows_messages=on_screen)
        if reading.blocks and reading.stderr:  # EXIT-2-EV-CwdChanged, EXIT-2-EV-FileChanged
            outcome.say("user", reading.stderr, by=reading.hook)
        if "watchPaths" in reading.own:  # CWD-OUT-01, -03, FILECHG-OUT-01: even an empty list; several add up
            watched = outcome.set.setdefault("watch_paths", [])
            watched.extend(path for path in reading.own["watchPaths"] if path.startswith("/") and path not in watched)
