//! What an evaluator answers: right, wrong, and what belongs to other handlers.

use crate::{draw::Draw, output::Pieces, plan::Subject};
use hookproof_contract::{End, HandlerResult, Text};

/// The kinds of answers.
#[derive(Clone, Copy)]
enum Answer {
    Consents,
    Objects,
    Impossible,
    ConsentsWithReason,
    WithoutReason,
    Blocks,
    Denies,
    Halts,
    OtherTypes,
    Fenced,
    Plain,
}

const ANSWERS: [(u8, Answer); 11] = [
    (52, Answer::Consents),
    (100, Answer::Objects),
    (34, Answer::Impossible),
    (10, Answer::ConsentsWithReason),
    (8, Answer::WithoutReason),
    (10, Answer::Blocks),
    (8, Answer::Denies),
    (6, Answer::Halts),
    (10, Answer::OtherTypes),
    (8, Answer::Fenced),
    (8, Answer::Plain),
];

/// How an evaluator ends. `keeps_going`: nothing in its answer may stop the agent.
pub(crate) fn draw(draw: &mut Draw<'_, '_>, subject: Subject, keeps_going: bool) -> HandlerResult {
    let end = draw.weighted(&[(40, End::Exit(0)), (196, End::Answered), (20, End::TimedOut)]);
    if end == End::Exit(0) {
        return HandlerResult::default();
    }
    HandlerResult { end, out: answer(draw, subject, keeps_going), ..HandlerResult::default() }
}

/// An answer that surely keeps the agent from stopping.
pub(crate) fn objection(draw: &mut Draw<'_, '_>) -> HandlerResult {
    let mut out = Pieces::default();
    out.around(r#"{"ok":false,"reason":""#, draw, "WHY", r#""}"#);
    HandlerResult { end: End::Answered, out: out.finish(), ..HandlerResult::default() }
}

fn answer(draw: &mut Draw<'_, '_>, subject: Subject, keeps_going: bool) -> Text {
    let mut out = Pieces::default();
    let (before, after) = match draw.weighted(&ANSWERS) {
        Answer::Consents => return Text::from(draw.pick(&[r#"{"ok":true}"#, "{ \"ok\": true }\n"])),
        Answer::WithoutReason => return Text::from(r#"{"ok":false}"#),
        Answer::Impossible | Answer::Halts if keeps_going => (r#"{"ok":false,"reason":""#, r#"","impossible":false}"#),
        Answer::Objects => (r#"{"ok":false,"reason":""#, r#""}"#),
        Answer::Impossible => (r#"{"ok":false,"reason":""#, r#"","impossible":true}"#),
        Answer::ConsentsWithReason => (r#"{"ok":true,"reason":""#, r#""}"#),
        Answer::Blocks => (r#"{"decision":"block","reason":""#, r#""}"#),
        Answer::Denies => {
            out.push(r#"{"hookSpecificOutput":{"hookEventName":""#);
            out.push(subject.event.name());
            (r#"","permissionDecision":"deny","permissionDecisionReason":""#, r#""}}"#)
        }
        Answer::Halts => (r#"{"continue":false,"stopReason":""#, r#""}"#),
        Answer::OtherTypes => draw.pick(&[
            (r#"{"ok":"false","reason":""#, r#""}"#),
            (r#"{"ok":0,"reason":""#, r#""}"#),
            (r#"{"ok":false,"reason":""#, r#"","impossible":"yes"}"#),
            (r#"{"ok":false,"because":1,"reason":""#, r#""}"#),
        ]),
        Answer::Fenced => ("```json\n{\"ok\":false,\"reason\":\"", "\"}\n```"),
        Answer::Plain => ("not ok: ", ""),
    };
    out.around(before, draw, "WHY", after);
    out.finish()
}
