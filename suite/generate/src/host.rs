//! The declared world around the hooks, and what an action comes to in it when no hook runs.

use crate::{
    canary,
    draw::Draw,
    handler::VARIABLES,
    plan::{Course, MODELS, Plan, Subject, TREE, TREES},
    tools::COMMANDS,
};
use hookproof_contract::{Case, Event, Fact, Fate, Firing, HandlerResult, Host, Layer, Name, Surface};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The variable that moves the limit of consecutive Stop blocks.
pub(crate) const CAP: &str = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP";

/// The variable that sets the time that hooks have at the end of a session.
pub(crate) const BUDGET: &str = "CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS";

/// Draws the world of a plan.
pub(crate) fn draw(draw: &mut Draw<'_, '_>, plan: &Plan) -> Host {
    let mut host = Host {
        surface: draw.weighted(&[
            (160, Surface::Terminal),
            (46, Surface::Print),
            (30, Surface::Sdk),
            (16, Surface::Background),
        ]),
        tool_calls_in_turn: draw.weighted(&[(200, 1), (36, 2), (16, 3)]),
        ..Host::default()
    };
    let fires = |event| plan.subjects().any(|s| s.event == event);
    if fires(Event::Setup) || plan.resumes() {
        host.surface = Surface::Print;
    } else if fires(Event::WorktreeRemove) {
        // A session is left, or one in the background deleted.
        host.surface = if draw.chance(45) { Surface::Background } else { Surface::Terminal };
    }
    let person_needed = plan.subjects().any(|s| s.tool.is_some_and(|tool| tool.needs_person));
    match host.surface {
        Surface::Print | Surface::Sdk => host.permission_host = person_needed || draw.chance(35),
        Surface::Background if person_needed => host.surface = Surface::Terminal,
        _ => {}
    }
    if !person_needed {
        permission_mode(draw, &mut host);
    }
    if draw.chance(8) {
        "/work/project/sub".clone_into(&mut host.cwd);
    }
    if draw.chance(8) {
        host.facts.insert(Fact::Streaming);
    }
    if fires(Event::TaskCompleted) && draw.chance(45) {
        host.facts.insert(Fact::TurnEnds);
    }
    let about = |event: Event| plan.subjects().any(|s| s.event == event);
    if about(Event::PermissionDenied) || (about(Event::PostToolUse) && draw.chance(36)) {
        "auto".clone_into(&mut host.permission_mode);
    }
    if about(Event::PermissionRequest) && draw.chance(30) {
        host.facts.insert(Fact::BypassAvailable);
    }
    if about(Event::PermissionRequest) && draw.chance(25) {
        host.facts.insert(Fact::BypassDisabled);
    }
    if about(Event::PreToolUse) && !person_needed && draw.chance(24) {
        "auto".clone_into(&mut host.permission_mode);
    }
    if about(Event::PreToolUse) && draw.chance(if host.permission_mode == "auto" { 85 } else { 3 }) {
        host.facts.insert(Fact::WithoutSandbox);
    }
    if about(Event::PreModelSwitch) || about(Event::PostModelSwitch) {
        host.models = MODELS.map(|(alias, name)| (alias.to_owned(), name.to_owned())).into();
    }
    if about(Event::PreModelSwitch)
        && let Some(fact) = draw.weighted(&[(110, None), (100, Some(Fact::ModelCommand)), (46, Some(Fact::SetModel))])
    {
        host.facts.insert(fact);
    }
    if draw.chance(2) {
        // It limits what a command of the agent may print, and no hook.
        host.env.insert("BASH_MAX_OUTPUT_LENGTH".to_owned(), "100000".to_owned());
    }
    host.trusted = plan.course == Course::Stops || !draw.chance(2);
    permissions(draw, plan, &mut host);
    if plan.course == Course::Stops && draw.chance(25) {
        let cap = draw.pick(&["10", "12", "9", "8", "3", "0", "many"]);
        host.env.insert(CAP.to_owned(), cap.to_owned());
    }
    if fires(Event::SessionEnd) && draw.chance(30) {
        let budget = draw.pick(&["5000", "250", "1500", "60000", "90000", "0", "soon"]);
        host.env.insert(BUDGET.to_owned(), budget.to_owned());
    }
    host
}

fn permission_mode(draw: &mut Draw<'_, '_>, host: &mut Host) {
    let mode = draw.weighted(&[
        (170, "default"),
        (14, "acceptEdits"),
        (24, "auto"),
        (14, "bypassPermissions"),
        (10, "plan"),
        (10, "dontAsk"),
        (6, "manual"),
    ]);
    if mode != "default" {
        mode.clone_into(&mut host.permission_mode);
    }
}

/// Permission rules and facts about the call. A rule that asks, or a fact that demands the person, is drawn only where there
/// is somebody to ask.
fn permissions(draw: &mut Draw<'_, '_>, plan: &Plan, host: &mut Host) {
    // Rules that would have kept a call from running do not go with one that has run.
    let ran = [Event::PostToolUse, Event::PostToolUseFailure, Event::PostToolBatch, Event::PermissionDenied];
    let done = plan.subjects().any(|s| ran.contains(&s.event));
    let of = |event: Event| plan.subjects().find(|s| s.event == event).and_then(|s| s.tool);
    let (asked_about, called) = (of(Event::PermissionRequest), of(Event::PreToolUse));
    let Some(tool) = asked_about.or(called).filter(|_| !done) else { return };
    let asks = can_ask(host);
    if asks && host.permission_mode != "dontAsk" {
        if tool.server.is_some() && draw.chance(34) {
            host.facts.insert(Fact::RequiresInteraction);
        } else if draw.chance(9) {
            host.facts.insert(Fact::NoModeApproves);
        }
    }
    if !draw.chance(if asked_about.is_some() { 60 } else { 28 }) {
        return;
    }
    // No rule settles all calls of a tool about which somebody is asked.
    let settled = asked_about.is_some();
    if settled && tool.name != "Bash" {
        if asks {
            host.permissions.ask.push(tool.name.to_owned());
        }
        return;
    }
    let rule = if tool.name == "Bash" && (settled || draw.chance(75)) {
        format!("Bash({})", draw.pick(&COMMANDS))
    } else {
        tool.name.to_owned()
    };
    if settled && draw.chance(65) {
        // What a hook makes of the call may be another matter.
        host.permissions.deny.push(format!("Bash({})", draw.pick(&COMMANDS)));
    }
    let rules = match draw.weighted(&[(40, 0), (40, 1), (30, 2)]) {
        0 => &mut host.permissions.deny,
        1 if asks => &mut host.permissions.ask,
        // What an allow rule is worth for a call that wants a person is not said.
        _ if tool.needs_person || !host.facts.is_empty() => &mut host.permissions.deny,
        _ => &mut host.permissions.allow,
    };
    rules.push(rule);
}

/// Whether a permission prompt has somebody to answer it.
pub(crate) fn can_ask(host: &Host) -> bool {
    match host.surface {
        Surface::Terminal => true,
        Surface::Print | Surface::Sdk => host.permission_host,
        Surface::Background => false,
    }
}

/// What a call comes to when no hook runs, as far as the permission rules decide it.
pub(crate) fn ruled(host: &Host, input: &serde_json::Map<String, Value>) -> Option<Fate> {
    let tool = input.get("tool_name")?.as_str()?;
    let command = input.get("tool_input").and_then(|i| i.get("command")).and_then(Value::as_str);
    let matches = |rule: &String| match rule.strip_suffix(')').and_then(|r| r.split_once('(')) {
        Some((name, exact)) => name == tool && command == Some(exact),
        None => rule == tool,
    };
    if host.permissions.deny.iter().any(matches) {
        return Some(Fate::Prevented);
    }
    if host.permissions.ask.iter().any(matches) {
        return Some(Fate::Asked);
    }
    host.permissions.allow.iter().any(matches).then_some(Fate::Proceeds)
}

/// What an action comes to when no hook runs.
pub(crate) fn otherwise(draw: &mut Draw<'_, '_>, host: &Host, subject: Subject, firing: &Firing) -> Fate {
    match firing.event {
        Event::PreToolUse => {}
        // Git, to which it falls then, may not know the worktree.
        Event::WorktreeRemove if draw.chance(30) => return Fate::Prevented,
        Event::PermissionDenied => return Fate::Prevented,
        Event::PermissionRequest => {
            return asked_of(host).unwrap_or_else(|| draw.pick(&[Fate::Prevented, Fate::Asked]));
        }
        Event::PreModelSwitch if may_confirm(host, firing) && draw.chance(45) => return Fate::Asked,
        _ => return Fate::Proceeds,
    }
    if let Some(fate) = ruled(host, &firing.input) {
        return fate;
    }
    let person = host.facts.contains(&Fact::RequiresInteraction) || host.facts.contains(&Fact::NoModeApproves);
    if person || subject.tool.is_some_and(|tool| tool.needs_person) {
        return Fate::Asked;
    }
    if !host.permissions.allow.is_empty() || host.permission_mode == "bypassPermissions" {
        return Fate::Proceeds;
    }
    match (can_ask(host), host.permission_mode.as_str()) {
        (true, "default" | "manual" | "acceptEdits" | "plan") if draw.chance(45) => Fate::Asked,
        (false, _) | (_, "dontAsk" | "auto") if draw.chance(25) => Fate::Prevented,
        _ => Fate::Proceeds,
    }
}

/// What a call comes to about which somebody is to be asked; in a session in the background it may be either.
fn asked_of(host: &Host) -> Option<Fate> {
    (host.surface != Surface::Background).then(|| if can_ask(host) { Fate::Asked } else { Fate::Prevented })
}

/// Whether the terminal may ask for confirmation of a switch.
fn may_confirm(host: &Host, firing: &Firing) -> bool {
    host.surface == Surface::Terminal && firing.input.get("prompt_cache_warm") != Some(&Value::Bool(false))
}

/// Whether every firing says of itself what its host says of it: the permission rules, the mode, who can be asked.
pub(crate) fn agrees(case: &Case) -> bool {
    let host = &case.host;
    canary::firings(case).into_iter().all(|f| match f.event {
        Event::PreToolUse => ruled(host, &f.input).is_none_or(|fate| fate == f.otherwise),
        Event::PermissionRequest => {
            let open = matches!(ruled(host, &f.input), None | Some(Fate::Asked));
            open && f.otherwise != Fate::Proceeds && asked_of(host).is_none_or(|fate| fate == f.otherwise)
        }
        Event::PermissionDenied => f.otherwise == Fate::Prevented && host.permission_mode == "auto",
        Event::PreModelSwitch => is_asked_for(host, f) && (f.otherwise != Fate::Asked || may_confirm(host, f)),
        _ => true,
    })
}

/// Whether a switch has the source that its host says it has.
fn is_asked_for(host: &Host, firing: &Firing) -> bool {
    let source = firing.input.get("source").and_then(Value::as_str);
    let (command, client) = (host.facts.contains(&Fact::ModelCommand), host.facts.contains(&Fact::SetModel));
    !(command && (client || source == Some("sdk"))) && (!client || source.is_none_or(|source| source == "sdk"))
}

/// Sets the variables that headers speak of, where there are such headers.
pub(crate) fn environment(draw: &mut Draw<'_, '_>, settings: &[Layer], host: &mut Host) {
    let [token, user, _] = VARIABLES;
    if !settings.iter().any(|layer| layer.settings["hooks"].to_string().contains(token)) {
        return;
    }
    host.env.insert(token.to_owned(), "s3cret".to_owned());
    if draw.chance(60) {
        host.env.insert(user.to_owned(), "dev".to_owned());
    }
}

/// Which directories there are, now that it is known which paths the worktrees' makers return.
pub(crate) fn directories(
    draw: &mut Draw<'_, '_>,
    plan: &Plan,
    results: &BTreeMap<Name, HandlerResult>,
    host: &mut Host,
) {
    if plan.subjects().all(|s| s.event != Event::WorktreeCreate) || !draw.chance(30) {
        return;
    }
    let mut there = BTreeSet::from([host.cwd.clone(), TREES.to_owned(), TREE.to_owned()]);
    if draw.chance(60) {
        for result in results.values() {
            let out = result.out.lossy();
            let Some(token) =
                out.find("TREE").map(|at| out[at..].split(['\n', '\r', '"', ' ', '\u{1b}']).next().unwrap_or(""))
            else {
                continue;
            };
            for parent in ["/work", "/work/trees", &host.cwd, &format!("{}/trees", host.cwd)] {
                there.insert(format!("{parent}/{token}"));
            }
        }
    }
    host.directories = Some(there);
}
