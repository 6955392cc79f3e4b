//! Which types of handlers an event runs (chapters *evaluators*, *mcp-tools* and *session*).

use crate::select::HandlerKind;
use hookproof_contract::{Event, Firing, Revision, RuleId, Surface, rule};
use serde_json::Value;

/// What becomes of a handler because of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Support {
    /// It runs; where its type is what is remarkable about that, by this rule.
    Runs(Option<RuleId>),
    /// It is passed over, by this rule. Whether anybody is told so is open.
    PassedOver(RuleId),
    /// The contract does not say.
    Unknown,
}

/// What becomes of a handler of a type when an event fires.
pub(crate) fn support(kind: HandlerKind, firing: &Firing, surface: Surface, revision: Revision) -> Support {
    let support = match kind {
        HandlerKind::Command => Support::Runs(None),
        HandlerKind::Http => match firing.event {
            Event::SessionStart => Support::PassedOver(rule!("SESSTART-02")),
            Event::Setup => Support::PassedOver(rule!("SETUP-OUT-05")),
            _ => Support::Runs(None),
        },
        HandlerKind::McpTool => match firing.event {
            Event::SessionStart => at_a_beginning(firing, surface),
            Event::Setup => Support::PassedOver(rule!("MCPHOOK-10")),
            _ => Support::Runs(None),
        },
        HandlerKind::Agent if firing.event == Event::PermissionRequest => Support::PassedOver(rule!("PERMREQ-07")),
        HandlerKind::Prompt | HandlerKind::Agent => evaluator(firing.event),
    };
    match support {
        // How it was before is another matter.
        Support::PassedOver(rule) if !rule.holds_at(revision) => Support::Unknown,
        Support::Runs(by) => Support::Runs(by.filter(|rule| rule.holds_at(revision))),
        support => support,
    }
}

/// At launch no server can be reached yet. A session can be taken up again, or split off, at launch and later: of these only
/// `-p` certainly knows the first alone.
fn at_a_beginning(firing: &Firing, surface: Surface) -> Support {
    let at_launch = Support::PassedOver(rule!("MCPHOOK-13"));
    match firing.input.get("source").and_then(Value::as_str) {
        Some("startup") => at_launch,
        Some("resume" | "fork") if surface == Surface::Print => at_launch,
        Some("clear" | "compact") => Support::Runs(Some(rule!("MCPHOOK-12"))),
        _ => Support::Unknown,
    }
}

fn evaluator(event: Event) -> Support {
    let speaks = |rule: RuleId| rule.rule().speaks_of(event);
    let runs = [rule!("PROMPT-SUP-01"), rule!("PROMPT-SUP-02")].into_iter().find(|rule| speaks(*rule));
    match event {
        Event::SessionStart | Event::Setup => Support::PassedOver(rule!("PROMPT-SUP-04")),
        Event::PreModelSwitch => Support::PassedOver(rule!("PREMODEL-OUT-08")),
        _ if runs.is_some() => Support::Runs(runs),
        _ => Support::PassedOver(rule!("PROMPT-SUP-03")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Support, support};
    use crate::select::HandlerKind;
    use hookproof_contract::{Event, Firing, Revision, Surface, rule};

    #[test]
    fn of_every_event_it_is_known_which_types_it_runs() {
        for event in Event::ALL.into_iter().filter(|event| *event != Event::SessionStart) {
            for kind in
                [HandlerKind::Command, HandlerKind::Http, HandlerKind::McpTool, HandlerKind::Prompt, HandlerKind::Agent]
            {
                let support = support(kind, &Firing::of(event), Surface::Terminal, Revision::NEWEST);
                match support {
                    Support::PassedOver(rule) => assert!(rule.rule().speaks_of(event), "{event} {kind:?}: {rule}"),
                    Support::Runs(_) => {
                        assert!(event != Event::Setup || kind == HandlerKind::Command, "{event} {kind:?}")
                    }
                    Support::Unknown => panic!("{event} {kind:?}"),
                }
            }
        }
    }

    #[test]
    fn a_tool_is_called_when_a_session_begins_anew_and_not_at_launch() {
        let on = |source: &str, surface, revision| {
            let mut firing = Firing::of(Event::SessionStart);
            firing.input.insert("source".to_owned(), source.into());
            support(HandlerKind::McpTool, &firing, surface, revision)
        };
        let (skipped, called) = (Support::PassedOver(rule!("MCPHOOK-13")), Support::Runs(Some(rule!("MCPHOOK-12"))));
        for (source, surface, wanted) in [
            ("startup", Surface::Terminal, skipped),
            ("resume", Surface::Print, skipped),
            ("resume", Surface::Terminal, Support::Unknown),
            ("fork", Surface::Background, Support::Unknown),
            ("clear", Surface::Terminal, called),
            ("compact", Surface::Print, called),
        ] {
            assert_eq!(on(source, surface, Revision::NEWEST), wanted, "{source}");
        }
        assert_eq!(on("startup", Surface::Terminal, Revision::OLDEST), Support::Unknown, "it was called then");
    }
}
