"""Permission updates: the entries of `updatedPermissions` (chapter: permission update entries, PERMUPD-01 to -17)."""

DESTINATIONS = ("session", "localSettings", "projectSettings", "userSettings")
MODES = ("default", "manual", "auto", "acceptEdits", "dontAsk", "bypassPermissions", "plan")
BEHAVIORS = ("allow", "deny", "ask")
BYPASS = "bypassPermissions"


def fits(entry):
    """Whether something is an entry at all: each type has fields of its own, and all have a destination."""
    if not isinstance(entry, dict) or entry.get("destination") not in DESTINATIONS:
        return False
    kind = entry.get("type")
    if kind in ("addRules", "replaceRules", "removeRules"):
        rules = entry.get("rules")
        return entry.get("behavior") in BEHAVIORS and isinstance(rules, list) and all(map(_is_rule, rules))
    if kind == "setMode":
        return entry.get("mode") in MODES
    directories = entry.get("directories")
    return (kind in ("addDirectories", "removeDirectories") and isinstance(directories, list)
            and all(isinstance(path, str) for path in directories))


def _is_rule(rule):
    return isinstance(rule, dict) and isinstance(rule.get("toolName"), str) and isinstance(rule.get("ruleContent", ""), str)


def carry_out(entry, session):
    """Carries out an entry; tells whether it had an effect."""
    if entry["type"] == "setMode":
        if entry["mode"] == BYPASS and not _may_bypass(session):  # PERMUPD-09, -10
            return False
        session.host["permission_mode"] = "default" if entry["mode"] == "manual" else entry["mode"]
    elif entry["type"].endswith("Rules"):
        _change_rules(entry, session)
    return True


def _change_rules(entry, session):
    """Where the rules are written that the case begins with is not known: `replaceRules` leaves them alone."""
    behavior = entry["behavior"]
    named = [_text(rule) for rule in entry["rules"]]
    before = list(session.host["permissions"].get(behavior) or ())
    if entry["type"] == "removeRules":  # PERMUPD-05
        after = [rule for rule in before if rule not in named]
    else:
        place = (entry["destination"], behavior)
        old = session.written.get(place, []) if entry["type"] == "replaceRules" else []  # PERMUPD-04
        after = [rule for rule in before if rule not in old] + named  # PERMUPD-02
        session.written[place] = named if old else session.written.get(place, []) + named
    session.host["permissions"] = {**session.host["permissions"], behavior: after}


def forget(session):
    """PERMUPD-12: what was meant for the session alone is gone with it."""
    session.host["permission_mode"] = session.case.get("host", {}).get("permission_mode", "default")
    for destination, behavior in list(session.written):
        if destination == "session":
            gone = session.written.pop((destination, behavior))
            rules = [rule for rule in session.host["permissions"].get(behavior) or () if rule not in gone]
            session.host["permissions"] = {**session.host["permissions"], behavior: rules}


def _text(rule):
    return f"{rule['toolName']}({rule['ruleContent']})" if "ruleContent" in rule else rule["toolName"]


def _may_bypass(session):
    """A launch flag, or a default that is not the project's, has to provide for it, and nothing may rule it out."""
    files = [(layer["from"], layer["settings"].get("permissions")) for layer in session.case["settings"]]
    files = [(source, permissions) for source, permissions in files if isinstance(permissions, dict)]
    if "bypass_disabled" in session.host["facts"] or any(
            permissions.get("disableBypassPermissionsMode") == "disable" for _, permissions in files):
        return False
    provided = any(source in ("managed", "user", "flag") and permissions.get("defaultMode") == BYPASS
                   for source, permissions in files)  # PERMUPD-17
    return provided or "bypass_available" in session.host["facts"] or session.host["permission_mode"] == BYPASS
