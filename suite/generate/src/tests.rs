//! The generator as a whole.

use crate::{
    canary::{self, lint},
    fields::{DECISION, Field, REASON, UNIVERSAL, specific},
    from_bytes, from_seed, host,
    plan::{EVENTS, PLUGINS_AGENT, Subject},
    steps,
};
use hookproof_contract::{Case, Deed, End, Event, HandlerResult, RuleId, Source, Step, Surface, rule};
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
use std::collections::BTreeMap;

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_a_well_marked_case(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        let case = from_bytes(&bytes);
        prop_assert_eq!(lint(&case), Ok(()));
        prop_assert!(host::agrees(&case) && steps::stops_follow(&case));
        prop_assert_eq!(from_bytes(&bytes), case);
    }
}

#[test]
fn no_bytes_are_the_smallest_case() {
    let case = from_bytes(&[]);
    let json = serde_json::to_value(&case).expect("serialises");
    assert_eq!(
        json["settings"],
        serde_json::json!([{ "from": "user", "settings": { "hooks": { "PreToolUse": [
            { "hooks": [{ "type": "command", "command": "guard" }] }] } } }])
    );
    assert_eq!(json["host"], serde_json::to_value(Case::default().host).expect("serialises"));
    assert!(case.results.is_empty() && case.steps.len() == 1);
    assert_eq!(case, from_bytes(&[0; 900]));
}

#[test]
fn a_case_is_the_same_after_it_was_written_and_read() {
    for seed in 0..500 {
        let case = from_seed(seed);
        let text = serde_json::to_string(&case).expect("serialises");
        let back: Case = hookproof_contract::read::text(&text).expect("reads back");
        assert_eq!(back.to_wire(), case.to_wire(), "seed {seed}");
    }
}

#[test]
fn cases_stay_small_even_from_the_largest_bytes() {
    for byte in [0, 1, 63, 127, 128, 191, 254, 255] {
        let case = from_bytes(&[byte; 4_096]);
        assert!(case.moments_count() < 40 && case.results.len() < 30, "byte {byte}: {case:?}");
        assert_eq!(lint(&case), Ok(()), "byte {byte}");
    }
}

/// What occurs in how many cases.
#[derive(Default)]
struct Tally(BTreeMap<String, usize>);

impl Tally {
    fn add(&mut self, what: impl Into<String>) {
        *self.0.entry(what.into()).or_default() += 1;
    }

    fn of(seeds: u64) -> Tally {
        let mut tally = Tally::default();
        for seed in 0..seeds {
            let case = from_seed(seed);
            assert_eq!(lint(&case), Ok(()), "seed {seed}");
            assert!(host::agrees(&case) && steps::stops_follow(&case), "seed {seed}");
            tally.case(&case);
        }
        tally
    }

    fn case(&mut self, case: &Case) {
        let firings = canary::firings(case);
        let Some(first) = firings.first() else { return };
        self.add(format!("event {}", first.event));
        if !first.input.is_empty() {
            self.add(format!("input {}", first.event));
        }
        self.add(format!("surface {:?}", case.host.surface));
        self.add(format!("otherwise {}", first.otherwise.name()));
        case.host.facts.iter().for_each(|fact| self.add(format!("fact {} {fact:?}", first.event)));
        if first.event == Event::SubagentStop && first.input.get("agent_type").is_some_and(|kind| kind == "") {
            self.add("an agent of the runtime's own");
        }
        case.settings.iter().for_each(|layer| self.add(format!("layer {:?}", layer.from)));
        let did = case.results.values().flat_map(|result| &result.did);
        let (removed, exported) = did.fold((false, false), |(removed, exported), deed| {
            (removed | matches!(deed, Deed::RemovedDirectory(_)), exported | matches!(deed, Deed::WroteEnvironment(_)))
        });
        if removed {
            self.add("a directory is removed");
        }
        if exported {
            self.add(format!("exported on {}", first.event));
        }
        self.subagents(case);
        if case.host.env.contains_key(host::BUDGET) {
            self.add("a budget is set");
        }
        if case.results.len() > 1 {
            self.add("several results");
        }
        let all = canary::firings(case);
        if all.len() == 2 && all[0].event == all[1].event {
            self.add(format!("again {}", all[0].event));
        }
        if first.input.get("background_tasks").is_some_and(|tasks| tasks != &serde_json::json!([])) {
            self.add("tasks go on");
        }
        if first.input.get("agent_type").is_some_and(|agent| agent == PLUGINS_AGENT) {
            self.add("an agent of a plugin");
        }
        if case.moments_count() > 8 {
            self.add("nine steps or more");
        }
        self.handlers(case);
        self.conditions(case);
        for result in case.results.values() {
            self.add(format!("end {:?}", result.end));
            self.output(first.event, result);
        }
        for group in
            case.settings.iter().filter_map(|layer| layer.settings["hooks"][first.event.name()].as_array()).flatten()
        {
            self.add(match group.get("matcher").map(|m| m.as_str().unwrap_or_default()) {
                None => "matcher omitted",
                Some("") => "matcher empty",
                Some("*") => "matcher star",
                Some(m) if m.contains(['^', '.', '(', '\\']) => "matcher pattern",
                Some(m) if m.contains(['|', ',']) => "matcher list",
                Some(_) => "matcher name",
            });
        }
    }

    /// What subagents do for whose definition there are hooks.
    fn subagents(&mut self, case: &Case) {
        if case.settings.iter().all(|layer| !matches!(layer.from, Source::Agent(_))) {
            return;
        }
        let firings = canary::firings(case);
        self.add("a definition");
        for event in [Event::SubagentStart, Event::SubagentStop, Event::Stop] {
            if firings.iter().any(|firing| firing.event == event) {
                self.add(format!("a definition, and {event}"));
            }
        }
        let calls = || firings.iter().filter(|firing| firing.input.contains_key("tool_name"));
        if calls().any(|firing| firing.input.contains_key("agent_id")) {
            self.add("a definition, and a call of a subagent");
        }
        if calls().any(|firing| !firing.input.contains_key("agent_id")) {
            self.add("a definition, and a call of the main agent");
        }
    }

    /// The types of handlers, with what only some of them have.
    fn handlers(&mut self, case: &Case) {
        let first = canary::firings(case)[0];
        let groups = case.settings.iter().filter_map(|layer| layer.settings["hooks"].as_object());
        let groups = groups.flat_map(serde_json::Map::values).filter_map(|groups| groups.as_array()).flatten();
        let mut ordinary = true;
        for handler in groups.filter_map(|group| group["hooks"].as_array()).flatten().filter_map(|h| h.as_object()) {
            let kind = handler["type"].as_str().unwrap_or_default();
            self.add(format!("handler {kind}"));
            ordinary &= matches!(kind, "command" | "http");
            for key in ["headers", "allowedEnvVars", "server", "input", "continueOnBlock", "model"] {
                if handler.contains_key(key) {
                    self.add(format!("handler {kind} {key}"));
                }
            }
            let result = canary::name(handler).and_then(|name| case.result(first, name));
            let out = result.map(|result| (result.end, result.out.lossy().into_owned()));
            if let Some((end, out)) = out.filter(|_| matches!(kind, "mcp_tool" | "prompt" | "agent")) {
                self.add(format!("{kind} {end:?}"));
                if out.contains("\"ok\":false,\"reason\":\"WHY") {
                    self.add(format!("{kind} objects on {}", first.event));
                }
                for (name, part) in [("impossible", "impossible\":true"), ("fenced", "```"), ("block", "\"block\"")] {
                    if out.contains(part) {
                        self.add(format!("{kind} says {name}"));
                    }
                }
            }
        }
        self.add(if ordinary { "commands and servers alone" } else { "other handlers too" });
        for layer in case.settings.iter().filter(|layer| layer.settings.contains_key("httpHookAllowedEnvVars")) {
            self.add(format!(
                "listed variables {:?}",
                layer.settings["httpHookAllowedEnvVars"].as_array().map(Vec::len)
            ));
        }
    }

    /// What keeps handlers from running, or makes them run otherwise.
    fn conditions(&mut self, case: &Case) {
        let text = serde_json::to_string(&case.settings).expect("serialises");
        let events = canary::firings(case);
        let first = events[0];
        let of_a_tool = first.input.contains_key("tool_name");
        let mut there = Vec::new();
        let mut see = |what: &str, is: bool| there.extend(is.then(|| what.to_owned()));
        see("untrusted", !case.host.trusted);
        let skill = case.settings.iter().any(|layer| {
            matches!(layer.from, Source::Skill(_)) && layer.settings["hooks"].to_string().contains("\"once\":true")
        });
        let arrives = matches!(case.steps.last(), Some(Step::Happen(hookproof_contract::Happening::ModelRequest)));
        see("if on a tool", of_a_tool && text.contains("\"if\":"));
        see("if elsewhere", !of_a_tool && text.contains("\"if\":"));
        see("once", text.contains("\"once\":true"));
        see("once in a skill, again", skill && first.times > 1);
        see("once elsewhere, again", text.contains("\"once\":true") && !skill && first.times > 1);
        see("async", text.contains("\"async\":true"));
        see("async, and a request later", text.contains("\"async\":true") && arrives);
        for part in ["asyncRewake", "\"async\":false", "user_config", "\"args\"", "\"shell\""] {
            see(part, text.contains(part));
        }
        for key in ["allowManagedHooksOnly", "enabledPlugins", "disableCommandPluginSources", "allowedHttpHookUrls"] {
            see(key, text.contains(key));
        }
        see("a plugin forced on", text.contains("\"tools\":true") && text.contains("{\"plugin\""));
        self.add(if there.is_empty() { "as ever" } else { "conditions" });
        there.into_iter().for_each(|what| self.add(what));
    }

    fn output(&mut self, event: Event, result: &HandlerResult) {
        let out = result.out.lossy();
        let object = out.starts_with('{') && out.ends_with('}');
        let parsed = serde_json::from_str::<serde_json::Value>(&out).is_ok();
        let frames = [
            ("bare", object && parsed),
            ("white space", out.starts_with("\n  {")),
            ("crlf", out.ends_with("}\r\n")),
            ("byte order mark", out.starts_with('\u{feff}')),
            ("banner", out.contains("BANNER-") && out.contains('{')),
            ("after", out.contains("AFTER-")),
            ("two on one line", out.contains("}{") || out.contains("}{\"")),
            ("two lines", out.contains("}\n{")),
            ("truncated", out.starts_with('{') && !out.trim_end().ends_with('}') && !out.contains("AFTER-")),
            ("empty", out.is_empty()),
            ("blank", !out.is_empty() && out.trim().is_empty()),
            ("plain", out.contains("PLAIN-")),
            ("other json", out.contains("JSON-")),
            ("braces", out.contains("BRACES-")),
            ("not utf-8", out.contains('\u{fffd}')),
            ("10000", out.contains("LONG-") && out.len() == 10_000),
            ("10001", out.contains("LONG-") && out.len() == 10_001),
            ("12000", out.contains("LONG-") && out.len() == 12_000),
            ("stray key", out.contains("STRAY-")),
            ("null", out.contains(":null")),
        ];
        frames.iter().filter(|(_, is)| *is).for_each(|(name, _)| self.add(format!("output {name}")));
        if object && parsed {
            let names = UNIVERSAL.iter().chain(specific(event)).chain([&DECISION, &REASON]);
            let there = names.filter(|Field { name, .. }| out.contains(&format!("\"{name}\":")));
            there.for_each(|field| self.add(format!("field {event} {}", field.name)));
            let named = out.contains(&format!("\"hookEventName\":\"{event}\""));
            let any = out.contains("hookEventName");
            self.add(format!(
                "name {}",
                if named {
                    "right"
                } else if any {
                    "other"
                } else {
                    "missing"
                }
            ));
        }
    }

    fn at_least(&self, least: usize, what: &str) {
        let count = self.0.get(what).copied().unwrap_or(0);
        assert!(count >= least, "`{what}` occurs {count} times, wanted are {least}; all: {:#?}", self.0);
    }
}

#[test]
fn an_event_has_a_target_where_matchers_count() {
    for (_, event) in EVENTS {
        let speaks = |rule: RuleId| rule.rule().speaks_of(event);
        // On tool events the tool is the target.
        let wanted = speaks(rule!("MATCH-PAT-08")) && !speaks(rule!("MATCH-TGT-TOOL"));
        assert_eq!(Subject { event, tool: None }.target().is_some(), wanted, "{event}: `Subject::target` of plan.rs");
    }
}

#[test]
fn everything_that_the_grammar_has_occurs() {
    let tally = Tally::of(20_000);
    for (_, event) in EVENTS {
        // One in a hundred and more: of 33 events, none can have much more than three in a hundred.
        tally.at_least(250, &format!("event {event}"));
        tally.at_least(200, &format!("input {event}"));
        for field in UNIVERSAL.iter().chain(specific(event)).chain([&DECISION, &REASON]) {
            tally.at_least(3, &format!("field {event} {}", field.name));
        }
    }
    for (least, frame) in [
        (3_000, "bare"),
        (100, "white space"),
        (100, "crlf"),
        (80, "byte order mark"),
        (100, "banner"),
        (100, "after"),
        (60, "two on one line"),
        (100, "two lines"),
        (100, "truncated"),
        (3_000, "empty"),
        (100, "blank"),
        (500, "plain"),
        (100, "other json"),
        (200, "braces"),
        (100, "not utf-8"),
        (50, "10000"),
        (50, "10001"),
        (100, "12000"),
        (200, "stray key"),
        (100, "null"),
    ] {
        tally.at_least(least, &format!("output {frame}"));
    }
    for end in [
        End::Exit(0),
        End::Exit(1),
        End::Exit(2),
        End::Exit(3),
        End::Exit(127),
        End::Exit(255),
        End::Signal(9),
        End::Signal(15),
        End::TimedOut,
        End::NotStarted,
        End::Status(200),
        End::Status(201),
        End::Status(204),
        End::Status(302),
        End::Status(403),
        End::Status(404),
        End::Status(500),
        End::Refused,
        End::NoResponse,
        End::Answered,
        End::ToolError,
    ] {
        tally.at_least(20, &format!("end {end:?}"));
    }
    for surface in [Surface::Terminal, Surface::Print, Surface::Sdk, Surface::Background] {
        tally.at_least(800, &format!("surface {surface:?}"));
    }
    for source in [
        Source::User,
        Source::Managed,
        Source::Project,
        Source::Local,
        Source::Flag,
        Source::Plugin("tools".into()),
        Source::Skill("deploy".into()),
    ] {
        tally.at_least(300, &format!("layer {source:?}"));
    }
    for matcher in ["omitted", "empty", "star", "pattern", "list", "name"] {
        tally.at_least(300, &format!("matcher {matcher}"));
    }
    for name in ["right", "other", "missing"] {
        tally.at_least(200, &format!("name {name}"));
    }
    for fate in ["proceeds", "asked", "prevented"] {
        tally.at_least(200, &format!("otherwise {fate}"));
    }
    tally.at_least(150, "fact TaskCompleted TurnEnds");
    tally.at_least(80, "an agent of the runtime's own");
    tally.at_least(100, "a directory is removed");
    tally.at_least(100, "a budget is set");
    for (least, event) in
        [(180, "SessionStart"), (180, "Setup"), (180, "CwdChanged"), (180, "FileChanged"), (8, "PreToolUse")]
    {
        tally.at_least(least, &format!("exported on {event}"));
    }
    tally.at_least(500, "a definition");
    tally.at_least(200, "a definition, and a call of a subagent");
    tally.at_least(100, "a definition, and a call of the main agent");
    for event in ["SubagentStart", "SubagentStop", "Stop"] {
        tally.at_least(40, &format!("a definition, and {event}"));
    }
    tally.at_least(100, "fact PermissionRequest BypassAvailable");
    tally.at_least(120, "fact PreModelSwitch ModelCommand");
    tally.at_least(60, "fact PreModelSwitch SetModel");
    for event in ["PreToolUse", "PostModelSwitch", "SubagentStart", "CwdChanged", "FileChanged"] {
        tally.at_least(80, &format!("again {event}"));
    }
    tally.at_least(100, "tasks go on");
    tally.at_least(80, "an agent of a plugin");
    tally.at_least(3_000, "several results");
    tally.at_least(800, "nine steps or more");
}

#[test]
fn every_type_of_handler_occurs_and_says_what_it_can() {
    let tally = Tally::of(20_000);
    for (least, what) in [
        (16_000, "commands and servers alone"),
        (1_200, "other handlers too"),
        (600, "handler mcp_tool"),
        (600, "handler prompt"),
        (300, "handler agent"),
        (300, "handler http headers"),
        (200, "handler http allowedEnvVars"),
        (400, "handler mcp_tool input"),
        (200, "handler prompt continueOnBlock"),
        (30, "handler prompt model"),
        (200, "mcp_tool Answered"),
        (60, "mcp_tool ToolError"),
        (30, "mcp_tool Refused"),
        (30, "mcp_tool TimedOut"),
        (400, "prompt Answered"),
        (30, "prompt TimedOut"),
        (15, "agent TimedOut"),
        (60, "prompt says impossible"),
        (30, "agent says impossible"),
        (15, "prompt says fenced"),
        (15, "prompt says block"),
    ] {
        tally.at_least(least, what);
    }
    for (_, event) in EVENTS {
        tally.at_least(5, &format!("prompt objects on {event}"));
    }
    for lists in 0..=3 {
        tally.at_least(1, &format!("listed variables Some({lists})"));
    }
}

#[test]
fn what_keeps_handlers_from_running_occurs_and_stays_rare() {
    let tally = Tally::of(20_000);
    for (least, what) in [
        (15_000, "as ever"),
        (1_200, "conditions"),
        (200, "untrusted"),
        (300, "if on a tool"),
        (100, "if elsewhere"),
        (150, "once"),
        (20, "once in a skill, again"),
        (20, "once elsewhere, again"),
        (300, "async"),
        (150, "async, and a request later"),
        (60, "asyncRewake"),
        (30, "\"async\":false"),
        (40, "user_config"),
        (150, "\"args\""),
        (150, "\"shell\""),
        (200, "allowManagedHooksOnly"),
        (100, "enabledPlugins"),
        (40, "disableCommandPluginSources"),
        (100, "allowedHttpHookUrls"),
        (5, "a plugin forced on"),
    ] {
        tally.at_least(least, what);
    }
}

#[test]
fn a_call_with_a_deny_rule_is_prevented_without_hooks() {
    let mut seen = 0;
    for case in (0..2_000).map(from_seed) {
        for step in &case.steps {
            let Step::Fire(firing) = step else { continue };
            let tool = firing.input.get("tool_name").and_then(serde_json::Value::as_str).unwrap_or_default();
            if firing.event == Event::PreToolUse && case.host.permissions.deny.iter().any(|rule| rule == tool) {
                assert_eq!(firing.otherwise, hookproof_contract::Fate::Prevented);
                seen += 1;
            }
        }
    }
    assert!(seen > 5, "{seen}");
}
