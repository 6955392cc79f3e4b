//! What an evaluator answered, a model or a subagent that judges (chapter *evaluators*).

use crate::{
    select::HandlerKind,
    voice::{Ended, Word},
};
use hookproof_contract::{End, Event, HandlerResult, RuleId, bare, read, rule};
use serde_json::Value;

/// An answer with `ok: false`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Objection {
    pub(crate) reason: String,
    /// It says `impossible: true`.
    pub(crate) impossible: bool,
}

/// How an evaluator ended, and what it said; nothing where it cannot end so.
pub(crate) fn answer(result: &HandlerResult, kind: HandlerKind, event: Event) -> Option<(Ended, Word)> {
    let said = match result.end {
        End::Answered => String::from_utf8(result.out.bytes().into_owned()).ok(),
        End::Exit(0) if result.out.is_empty() => Some(r#"{"ok":true}"#.to_owned()),
        // What a judge that does not answer in time comes to is said of the other types only.
        End::TimedOut => return Some((Ended::TimedOut, Word::Free)),
        _ => return None,
    };
    let said = said.as_deref().and_then(parse);
    let to_no_avail = said.as_ref().and_then(|said| unheeded(said, kind, event));
    let word = match (event, said) {
        (_, _) if to_no_avail.is_some() => Word::Unheeded(to_no_avail?),
        // Whatever it is, nobody reads it.
        (Event::PermissionDenied, _) => Word::Unheeded(rule!("PERMDEN-OUT-05")),
        // Whether consent grants the permission is not said.
        (Event::PermissionRequest, _) | (_, None) => Word::Free,
        (_, Some(Said::Consents)) => Word::Consents,
        (_, Some(Said::Objects(objection))) => Word::Objects(objection),
    };
    Some((Ended::Answered, word))
}

/// What the schema of answers knows.
enum Said {
    Consents,
    Objects(Objection),
}

/// Reads an answer. What becomes of one that is not as the schema has it is not said.
fn parse(text: &str) -> Option<Said> {
    let Value::Object(answer) = read::value(text).ok()? else { return None };
    if !answer.keys().all(|key| matches!(key.as_str(), "ok" | "reason" | "impossible")) {
        return None;
    }
    let reason = answer.get("reason").map(|reason| reason.as_str().ok_or(())).transpose().ok()?;
    let impossible = answer.get("impossible").map(|flag| flag.as_bool().ok_or(())).transpose().ok()?;
    if answer.get("ok")?.as_bool()? {
        return Some(Said::Consents);
    }
    let reason = reason.filter(|reason| !bare(reason).is_empty())?.to_owned();
    Some(Said::Objects(Objection { reason, impossible: impossible == Some(true) }))
}

/// The rule by which an objection changes nothing on this event, if it does not.
fn unheeded(said: &Said, kind: HandlerKind, event: Event) -> Option<RuleId> {
    let Said::Objects(objection) = said else { return None };
    let rule = match event {
        Event::PermissionRequest => rule!("PROMPT-RESP-09"),
        Event::PermissionDenied => rule!("PROMPT-RESP-10"),
        _ => return None,
    };
    Some(if objection.impossible && kind == HandlerKind::Prompt { rule!("PROMPT-RESP-11") } else { rule })
}

#[cfg(test)]
mod tests {
    use super::{Objection, answer};
    use crate::{select::HandlerKind, voice::Word};
    use hookproof_contract::{End, Event, HandlerResult, rule};

    fn word(out: &str, event: Event) -> Word {
        let result = HandlerResult { end: End::Answered, out: out.into(), ..HandlerResult::default() };
        answer(&result, HandlerKind::Prompt, event).expect("it answers").1
    }

    #[test]
    fn an_answer_is_read_where_it_is_as_the_schema_has_it() {
        let objects = |impossible| Word::Objects(Objection { reason: "WHY-1".to_owned(), impossible });
        for (out, wanted) in [
            (r#"{"ok":true}"#, Word::Consents),
            (r#" {"ok":true,"reason":"fine","impossible":false}"#, Word::Consents),
            (r#"{"ok":false,"reason":"WHY-1"}"#, objects(false)),
            (r#"{"ok":false,"reason":"WHY-1","impossible":true}"#, objects(true)),
            (r#"{"ok":false}"#, Word::Free),
            (r#"{"ok":false,"reason":" "}"#, Word::Free),
            (r#"{"ok":"false","reason":"WHY-1"}"#, Word::Free),
            (r#"{"ok":false,"reason":7}"#, Word::Free),
            (r#"{"ok":false,"reason":"WHY-1","impossible":"yes"}"#, Word::Free),
            (r#"{"ok":false,"reason":"WHY-1","decision":"block"}"#, Word::Free),
            (r#"{"decision":"block"}"#, Word::Free),
            ("```json\n{\"ok\":true}\n```", Word::Free),
            ("no", Word::Free),
            ("", Word::Free),
        ] {
            assert_eq!(word(out, Event::Stop), wanted, "{out}");
        }
    }

    #[test]
    fn on_permissions_nobody_heeds_an_objection() {
        let no = r#"{"ok":false,"reason":"WHY-1"}"#;
        assert_eq!(word(no, Event::PermissionRequest), Word::Unheeded(rule!("PROMPT-RESP-09")));
        assert_eq!(word(no, Event::PermissionDenied), Word::Unheeded(rule!("PROMPT-RESP-10")));
        assert_eq!(word("no", Event::PermissionDenied), Word::Unheeded(rule!("PERMDEN-OUT-05")));
        let yes = r#"{"ok":true}"#;
        assert_eq!(word(yes, Event::PermissionRequest), Word::Free, "whether that grants it is not said");
    }
}
