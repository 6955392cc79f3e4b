"""Models and their names (chapter: PreModelSwitch)."""

_LONG_CONTEXT = "[1m]"


def matcher_target(given, host):
    """PREMODEL-08: the canonical name, without the suffix. PREMODEL-09: None if there is none to be found, so that nothing is
    filtered; that goes for both events (A-98)."""
    if not isinstance(given.get("to_model"), str):
        return ""
    names = {alias: _plain(name) for alias, name in (host.get("models") or {}).items()}
    model = given["to_model"]
    for known in (model, _plain(model)):
        if known in names:
            return names[known]
    return _plain(model) if _plain(model) in names.values() else None


def _plain(name):
    return name[:-len(_LONG_CONTEXT)] if name.endswith(_LONG_CONTEXT) else name
