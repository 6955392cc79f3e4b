"""Which handlers run for one occurrence of an event (chapters: hook locations, disable, handler fields, matchers)."""

import json
import re
from dataclasses import dataclass

from . import conditions, handlers
from .ecma import InvalidPattern
from .matcher import matches

# The settings files, the strongest first: a value set in several of them is the strongest file's (CONFIG-DISABLE-02).
FILES = ("managed", "flag", "local", "project", "user")


@dataclass(frozen=True)
class Hook:
    """A handler that is to run."""

    name: str        # its own text: the command, the URL, the tool or the prompt
    kind: str        # its type
    title: str       # how notices and reminders call it
    label: str       # where a permission prompt says that it comes from
    timeout: float   # in seconds
    spec: dict       # the handler as configured
    place: tuple     # layer, group and handler number
    source: object   # of the layer
    once: bool


def select(case, event, firing_input, host, session):
    """The hooks that run, in configuration order, and what is to be logged about the others."""
    layers, log, found, seen = case["settings"], [], [], set()
    target = _target(event, firing_input, host)
    title = f"{event.NAME}:{target}" if target else event.NAME
    urls = _url_allowlist(layers)
    for place, source, spec in _matching(layers, event, target, firing_input, host, session, log):
        hook = _hook(place, source, spec, title, event)
        if hook is None or (event.NAME, place) in session.spent or not conditions.holds(spec, event.NAME, firing_input):
            continue
        if _is_refused(spec, source) or (session.skills_over and _is_from(source, "skill")):  # CONFIG-LOC-08
            continue
        if not handlers.runs(hook.kind, event, firing_input):
            log += filter(None, [handlers.passed_over(hook.kind, event)])
            continue
        if hook.kind == "http" and urls is not None and not any(url.fullmatch(hook.name) for url in urls):
            log.append(f"HTTP hook skipped: {hook.name} is not in allowedHttpHookUrls")
            continue
        key = _identity(hook, source)
        if key not in seen:  # CONFIG-HANDLER-03
            seen.add(key)
            found.append(hook)
    if hasattr(event, "limit_times"):  # where hooks share their time
        found = event.limit_times(found, host)
    return found, log


def _target(event, firing_input, host):
    """What matchers are compared with; None where they filter nothing (MATCH-PAT-07). Some events have to work it out."""
    if hasattr(event, "matcher_target"):
        return event.matcher_target(firing_input, host)
    return (firing_input.get(event.MATCHES_ON) or "") if event.MATCHES_ON else None


def _matching(layers, event, target, firing_input, host, session, log):
    """Every handler of every group that matches, as (place, source, handler); what has a wrong shape is passed over."""
    for number, layer in _active(layers, event, firing_input, host, session):
        for g, group in enumerate(_groups(layer, event, target)):
            group = _dict(group)
            try:
                if target is not None and not matches(group.get("matcher"), target, event.NAME):
                    continue
            except InvalidPattern as problem:
                log.append(f"matcher {group.get('matcher')!r} is no regular expression: {problem}")
                continue
            for h, spec in enumerate(_list(group.get("hooks"))):
                yield (number, g, h), layer["from"], _dict(spec)


def _groups(layer, event, target):
    """The groups of a layer for the event. A subagent's are its own, and its Stop is meant for its end (CONFIG-SKILL-02)."""
    hooks, source = _dict(layer["settings"].get("hooks")), layer["from"]
    if event.NAME != "SubagentStop" or not isinstance(source, dict) or "agent" not in source:
        return _list(hooks.get(event.NAME))
    if source["agent"] != target:
        return []
    return _list(hooks.get("SubagentStop")) + _list(hooks.get("Stop"))


def _active(layers, event, firing_input, host, session):
    """The layers whose hooks count at all, numbered."""
    managed_only = _strongest(layers, "allowManagedHooksOnly", ("managed",)) is True
    disabled_by_managed = _strongest(layers, "disableAllHooks", ("managed",)) is True
    disabled = _strongest(layers, "disableAllHooks", FILES) is True
    # CONFIG-TRUST-03, CONFIG-TRUST-04: only an interactive session asks for trust.
    untrusted = host["surface"] == "terminal" and not host["trusted"]
    if disabled_by_managed:
        return
    for number, layer in enumerate(layers):
        source = layer["from"]
        if source == "managed":
            yield number, layer
        elif disabled:  # CONFIG-DISABLE-04
            continue
        elif untrusted and (source in FILES or _is_from(source, "skill")):  # CONFIG-TRUST-01
            continue
        elif not host["trusted"] and _is_from(source, "agent"):  # CONFIG-TRUST-02
            continue
        elif managed_only and not _may_stay(source, layers):  # CONFIG-MANAGED-01
            continue
        elif isinstance(source, dict) and "plugin" in source and _plugin_setting(source, layers, FILES) is False:
            continue  # CONFIG-LOC-06
        elif _is_from(source, "agent") and not session.subagents.has_in_force(source["agent"], event, firing_input):
            continue  # CONFIG-LOC-09
        else:
            yield number, layer


def _may_stay(source, layers):
    """Under allowManagedHooksOnly: plugins that managed settings force on. Skills and agents are not spoken of."""
    if not isinstance(source, dict):
        return False
    return "plugin" not in source or _plugin_setting(source, layers, ("managed",)) is True


def _plugin_setting(source, layers, files):
    """The strongest `enabledPlugins` value for the plugin."""
    for file in files:
        for layer in reversed([layer for layer in layers if layer["from"] == file]):
            plugins = _dict(layer["settings"].get("enabledPlugins"))
            if source["plugin"] in plugins:
                return plugins[source["plugin"]]
    return None


def _strongest(layers, key, files):
    for file in files:
        for layer in reversed(layers):
            if layer["from"] == file and key in layer["settings"]:
                return layer["settings"][key]
    return None


def _url_allowlist(layers):
    """The merged allowedHttpHookUrls as patterns (`*` is any text), or None if no level has it (CONFIG-HTTPALLOW-01)."""
    urls = _merged(layers, "allowedHttpHookUrls")
    return urls and [re.compile(re.escape(url).replace(r"\*", ".*"), re.DOTALL) for url in urls]


def variable_allowlist(layers):
    """The merged httpHookAllowedEnvVars, or None if no level has it (CONFIG-HTTPALLOW-02)."""
    names = _merged(layers, "httpHookAllowedEnvVars")
    return names if names is None else set(names)


def _merged(layers, key):
    """The strings in the lists of all levels together, or None if no level has such a list."""
    defined = [layer["settings"][key] for layer in layers if layer["from"] in FILES and key in layer["settings"]]
    return [item for items in defined for item in _list(items) if isinstance(item, str)] if defined else None


def _hook(place, source, spec, title, event):
    """The handler, or None if it is of no type that there is or lacks what it needs (CONFIG-HANDLER-01)."""
    kind, name = spec.get("type"), handlers.name(spec)
    if name is None:
        return None
    timeout = spec.get("timeout")  # TIMEOUT-DEF-09
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not timeout > 0:
        timeout = handlers.SECONDS.get(kind, event.TIMEOUT)
    once = spec.get("once") is True and isinstance(source, dict) and "skill" in source  # CONFIG-ONCE-03
    return Hook(name, kind, title, _label(source), timeout, spec, place, source, once)


def _label(source):
    """PRETOOL-ASK-01."""
    if isinstance(source, dict) and "plugin" in source:
        return f"[plugin:{source['plugin']}]"
    if isinstance(source, dict) and "skill" in source:
        return "[skill]"
    return "[settings]"


def refused(case, event, firing_input, host, session):
    """The commands that would run, but are not started (CONFIG-EXEC-09)."""
    matching = _matching(case["settings"], event, _target(event, firing_input, host), firing_input, host, session, [])
    return [spec["command"] for _, source, spec in matching
            if _is_refused(spec, source) and conditions.holds(spec, event.NAME, firing_input)]


def _is_refused(spec, source):
    """CONFIG-EXEC-09: a plugin's settings have no place in a shell's command."""
    if spec.get("type") != "command" or "args" in spec or not _is_from(source, "plugin"):
        return False
    command = spec.get("command")
    return isinstance(command, str) and bool(re.search(r"\$\{user_config\..*\}", command, re.DOTALL))


def _is_from(source, kind):
    return isinstance(source, dict) and kind in source


def _identity(hook, source):
    """Settings files share their handlers; each plugin, skill and agent has its own (CONFIG-HANDLER-04, A-80)."""
    owner = "settings" if source in FILES else json.dumps(source, sort_keys=True)
    details = []
    if hook.kind == "command":  # CONFIG-CMD-03: with arguments, no shell
        details = ["args", hook.spec["args"]] if "args" in hook.spec else ["shell", hook.spec.get("shell")]
    elif hook.kind == "mcp_tool":
        details = [hook.spec.get("server"), hook.spec.get("input")]
    return owner, hook.kind, hook.name, json.dumps(details, sort_keys=True)


def _dict(value):
    return value if isinstance(value, dict) else {}


def _list(value):
    return value if isinstance(value, list) else []
