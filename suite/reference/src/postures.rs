//! How the reference reads what the contract leaves open, and the posture variants: the same runtime with one point read
//! in another, equally allowed way.

use hookproof_contract::{PointId, Reading, Readings, Revision, reading};

/// Which characters around an output do not count (chapter *stdout*).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Space {
    Ecmascript,
    Ascii,
    Unicode,
}

/// Which value counts when a key stands twice (chapter *stdout*).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Twice {
    Last,
    First,
    Invalid,
}

/// When one line of several sets a field of the output (chapter *stdout*).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lines {
    /// When it is a valid object with a known field.
    Valid,
    /// The same, but an empty `hookSpecificOutput` is no such field.
    Effective,
    /// When it is an object with a known key.
    KnownKeys,
}

/// Which values top-level `decision` may have (chapter *schema*).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decisions {
    ApproveOrBlock,
    BlockOnly,
    Any,
}

/// What becomes of an output that has a flaw of a certain kind.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flawed {
    Fails,
    Ignored,
    Accepted,
}

/// What null is for a field that may have any type (chapter *schema*).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Null {
    WrongType,
    Absent,
    Value,
}

/// Whose value counts where several hooks set the same thing differently.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    LastToEnd,
    FirstToEnd,
    LastInSettings,
    FirstInSettings,
}

/// Which texts are told of several hooks that want the same thing, each with a text of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    All,
    FirstInSettings,
    LastInSettings,
    /// That of the hook that ends first: `some` leaves the choice.
    FirstToEnd,
}

/// Which groups with a matcher run where the new model has no canonical name (chapter *model-switch*).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nameless {
    All,
    ById,
    None,
}

/// The revision that is followed, and one reading of every open point that the runtime meets.
#[derive(Clone)]
pub(crate) struct Stance {
    pub(crate) revision: Revision,
    /// JSON beside a failing exit code does not count on events of which it is not said that it does.
    pub(crate) unsaid_failure_is_silent: bool,
    /// those of these events that keep the fields of all events do not report errors by a notice.
    pub(crate) unsaid_error_is_unnoticed: bool,
    /// PermissionDenied drops the fields of all events.
    pub(crate) refusal_drops_universal: bool,
    /// `continue: false` is ignored on events that decide nothing, or not by it.
    pub(crate) stop_needs_a_say: bool,
    /// the reason of a block is not heard on PostToolUseFailure.
    pub(crate) failure_takes_no_reason: bool,
    /// a top-level `decision` blocks on TeammateIdle and TaskCompleted.
    pub(crate) teams_take_decisions: bool,
    ///
    pub(crate) space: Space,
    ///
    pub(crate) twice: Twice,
    ///
    pub(crate) lines: Lines,
    /// plain stdout beside exit 2 becomes context.
    pub(crate) blocked_stdout_is_context: bool,
    /// numbers beyond a double and halves of surrogate pairs parse.
    pub(crate) lenient_json: bool,
    /// a field of the wrong type is dropped; otherwise the object fails.
    pub(crate) drops_wrong_types: bool,
    /// null is as if left out.
    pub(crate) null_is_absent: bool,
    ///
    pub(crate) null_anything: Null,
    ///
    pub(crate) decisions: Decisions,
    /// A-34, without a name.
    pub(crate) missing_name: Flawed,
    /// A-34, with the name of another event.
    pub(crate) other_name: Flawed,
    /// what a subagent declares for `Stop` may call itself so, and not only SubagentStop.
    pub(crate) takes_declared_name: bool,
    /// `Accepted` means that it blocks.
    pub(crate) reasonless_block: Flawed,
    /// a value that is not listed counts as left out.
    pub(crate) ignores_unlisted: bool,
    /// a `decision` object without a proper `behavior` answers nothing; otherwise the object fails.
    pub(crate) takes_vague_consent: bool,
    /// a block without a reason has no message, even beside exit 2.
    pub(crate) reasonless_is_silent: bool,
    /// exit 2 keeps the agent going in spite of `continue: false`.
    pub(crate) exit_two_goes_on: bool,
    /// `continue: false` also keeps the tool call from running.
    pub(crate) stopping_prevents_call: bool,
    /// the same for a prompt.
    pub(crate) stopping_prevents_prompt: bool,
    /// a hook that exits 2 grants no permission.
    pub(crate) exit_two_grants_nothing: bool,
    /// context is delivered although a hook blocks the prompt.
    pub(crate) blocked_prompt_has_context: bool,
    /// the same for a tool call.
    pub(crate) blocked_call_has_context: bool,
    /// `displayContent` beside a failing exit code is shown.
    pub(crate) failing_display_shown: bool,
    /// on Elicitation, ElicitationResult, PreCompact and ConfigChange, JSON beside a failing exit code does not count.
    pub(crate) failing_answer_ignored: bool,
    ///
    pub(crate) told: Told,
    ///
    pub(crate) input_order: Order,
    ///
    pub(crate) reply_order: Order,
    ///
    pub(crate) value_order: Order,
    /// the input of a losing hook is dropped.
    pub(crate) drops_losing_input: bool,
    /// input without a decision is ignored.
    pub(crate) ignores_lone_input: bool,
    /// top-level `decision` wins over `permissionDecision`.
    pub(crate) legacy_wins: bool,
    /// `updatedMCPToolOutput` wins over `updatedToolOutput`.
    pub(crate) mcp_output_wins: bool,
    /// handlers are the same only if all their fields are.
    pub(crate) same_by_all_fields: bool,
    /// copies inside one file all run.
    pub(crate) same_across_files: bool,
    /// a handler that stands twice in one plugin or skill runs once.
    pub(crate) plugin_copies_run_once: bool,
    /// letters beyond ASCII belong to exact matchers.
    pub(crate) unicode_names: bool,
    /// white space at the ends of an exact matcher counts.
    pub(crate) literal_ends: bool,
    ///
    pub(crate) nameless: Nameless,
    /// characters are code points; otherwise UTF-16 units.
    pub(crate) code_points: bool,
    /// every string is limited.
    pub(crate) limits_every_string: bool,
    /// the budget that the environment states is cut like any other.
    pub(crate) cuts_stated_budget: bool,
    /// a time beyond the largest budget stays as a settings file states it.
    pub(crate) keeps_long_times: bool,
    /// doubtful terminal sequences are allowed.
    pub(crate) lenient_terminal: bool,
    /// the sub-commands of OSC 9 are refused.
    pub(crate) plain_osc9: bool,
    /// a body of white space is a body.
    pub(crate) blank_body_fails: bool,
    /// a hook with `async` that cannot wake the agent has the time that others have; otherwise none.
    pub(crate) async_is_timed: bool,
    /// a hook that can wake the agent has no time.
    pub(crate) waking_is_untimed: bool,
    /// plain stdout of a hook with `async` is context like that of others, but later.
    pub(crate) late_stdout_is_context: bool,
    /// the user is told of handlers whose type the event does not run.
    pub(crate) warns_of_passed_over: bool,
    /// a run that exits with a failing code is none that takes a handler out, although its JSON counts.
    pub(crate) failing_run_stays: bool,
    /// the line that is a path is not trimmed.
    pub(crate) literal_path: bool,
    /// a bare `accept` goes without the user's values.
    pub(crate) bare_accept_is_empty: bool,
    /// a decline and a cancel go with the values that the hook gave.
    pub(crate) refusal_has_content: bool,
    /// a change of directory about which hooks name no paths leaves nothing of theirs under watch.
    pub(crate) silence_unwatches: bool,
    /// why a hook's JSON holds back a compaction is not told.
    pub(crate) hides_compaction_reason: bool,
    /// to show nothing is to show the original.
    pub(crate) blank_display_is_none: bool,
    /// a blocked prompt sets no title.
    pub(crate) blocked_sets_no_title: bool,
    /// context of white space alone keeps the agent going.
    pub(crate) blank_context_goes_on: bool,
}

impl Stance {
    /// The newest revision with these readings; points that are not fixed have their default.
    pub(crate) fn of(readings: &Readings) -> Stance {
        let is = |reading: Reading| readings.get(reading.point) == Some(reading);
        let (missing_name, other_name) = names(&is);
        Stance {
            revision: Revision::NEWEST,
            unsaid_failure_is_silent: is(reading!("A-01", "ignored")),
            unsaid_error_is_unnoticed: is(reading!("A-187", "none")),
            refusal_drops_universal: is(reading!("A-03", "dropped")),
            stop_needs_a_say: is(reading!("A-04", "ignored")),
            failure_takes_no_reason: is(reading!("A-06", "ignored")),
            teams_take_decisions: is(reading!("A-07", "blocks")),
            space: match () {
                () if is(reading!("A-10", "ascii")) => Space::Ascii,
                () if is(reading!("A-10", "unicode")) => Space::Unicode,
                () => Space::Ecmascript,
            },
            twice: match () {
                () if is(reading!("A-13", "first")) => Twice::First,
                () if is(reading!("A-13", "invalid")) => Twice::Invalid,
                () => Twice::Last,
            },
            lines: match () {
                () if is(reading!("A-14", "lines that do something")) => Lines::Effective,
                () if is(reading!("A-14", "known keys")) => Lines::KnownKeys,
                () => Lines::Valid,
            },
            blocked_stdout_is_context: is(reading!("A-20", "added")),
            lenient_json: !is(reading!("A-21", "invalid")),
            drops_wrong_types: is(reading!("A-31", "the field is dropped")),
            null_is_absent: is(reading!("A-32", "as if left out")),
            null_anything: match () {
                () if is(reading!("A-182", "as if left out")) => Null::Absent,
                () if is(reading!("A-182", "the value")) => Null::Value,
                () => Null::WrongType,
            },
            decisions: match () {
                () if is(reading!("A-33", "block only")) => Decisions::BlockOnly,
                () if is(reading!("A-33", "any")) => Decisions::Any,
                () => Decisions::ApproveOrBlock,
            },
            missing_name,
            other_name,
            takes_declared_name: is(reading!("A-36", "Stop as well")),
            reasonless_block: match () {
                () if is(reading!("A-37", "fails")) => Flawed::Fails,
                () if is(reading!("A-37", "ignored")) => Flawed::Ignored,
                () => Flawed::Accepted,
            },
            ignores_unlisted: is(reading!("A-38", "ignored")),
            takes_vague_consent: is(reading!("A-39", "no answer")),
            reasonless_is_silent: is(reading!("A-52", "none")),
            exit_two_goes_on: is(reading!("A-53", "goes on")),
            stopping_prevents_call: is(reading!("A-54", "does not happen")),
            stopping_prevents_prompt: is(reading!("A-183", "does not happen")),
            exit_two_grants_nothing: is(reading!("A-56", "ignored")),
            blocked_prompt_has_context: is(reading!("A-57", "delivered")),
            blocked_call_has_context: is(reading!("A-184", "delivered")),
            failing_display_shown: is(reading!("A-58", "replaced")),
            failing_answer_ignored: is(reading!("A-59", "the JSON is ignored")),
            told: match () {
                () if is(reading!("A-70", "the first")) => Told::FirstInSettings,
                () if is(reading!("A-70", "the last")) => Told::LastInSettings,
                () if is(reading!("A-70", "some")) => Told::FirstToEnd,
                () => Told::All,
            },
            input_order: match () {
                () if is(reading!("A-72", "first to end")) => Order::FirstToEnd,
                () if is(reading!("A-72", "last in the settings")) => Order::LastInSettings,
                () if is(reading!("A-72", "first in the settings")) => Order::FirstInSettings,
                () => Order::LastToEnd,
            },
            reply_order: match () {
                () if is(reading!("A-77", "first to end")) => Order::FirstToEnd,
                () if is(reading!("A-77", "last in the settings")) => Order::LastInSettings,
                () if is(reading!("A-77", "first in the settings")) => Order::FirstInSettings,
                () => Order::LastToEnd,
            },
            value_order: match () {
                () if is(reading!("A-78", "first to end")) => Order::FirstToEnd,
                () if is(reading!("A-78", "last in the settings")) => Order::LastInSettings,
                () if is(reading!("A-78", "first in the settings")) => Order::FirstInSettings,
                () => Order::LastToEnd,
            },
            drops_losing_input: is(reading!("A-73", "dropped")),
            ignores_lone_input: is(reading!("A-74", "ignored")),
            legacy_wins: is(reading!("A-75", "decision")),
            mcp_output_wins: is(reading!("A-76", "updatedMCPToolOutput")),
            same_by_all_fields: is(reading!("A-80", "all fields, everywhere"))
                || is(reading!("A-80", "all fields, across files")),
            same_across_files: is(reading!("A-80", "same execution, across files"))
                || is(reading!("A-80", "all fields, across files")),
            plugin_copies_run_once: is(reading!("A-181", "once")),
            unicode_names: is(reading!("A-90", "unicode")),
            literal_ends: is(reading!("A-92", "literal")),
            nameless: match () {
                () if is(reading!("A-98", "by the id")) => Nameless::ById,
                () if is(reading!("A-98", "none")) => Nameless::None,
                () => Nameless::All,
            },
            code_points: is(reading!("A-100", "code points")),
            limits_every_string: is(reading!("A-102", "every string")),
            cuts_stated_budget: is(reading!("A-110", "cut")),
            keeps_long_times: is(reading!("A-188", "kept")),
            lenient_terminal: is(reading!("A-120", "allowed")),
            plain_osc9: is(reading!("A-122", "refused")),
            blank_body_fails: is(reading!("A-130", "other")),
            async_is_timed: is(reading!("A-140", "as others")),
            waking_is_untimed: is(reading!("A-141", "none")),
            late_stdout_is_context: is(reading!("A-142", "delivered")),
            warns_of_passed_over: is(reading!("A-156", "warned")),
            failing_run_stays: is(reading!("A-157", "failure")),
            literal_path: is(reading!("A-160", "literal")),
            bare_accept_is_empty: is(reading!("A-163", "no values")),
            refusal_has_content: is(reading!("A-189", "sent")),
            silence_unwatches: is(reading!("A-168", "cleared")),
            hides_compaction_reason: is(reading!("A-170", "not shown")),
            blank_display_is_none: is(reading!("A-172", "original")),
            blocked_sets_no_title: is(reading!("A-164", "not set")),
            blank_context_goes_on: is(reading!("A-180", "yes")),
        }
    }
}

impl Stance {
    /// The same at the newest revision.
    pub(crate) fn at_newest(&self) -> Stance {
        Stance { revision: Revision::NEWEST, ..self.clone() }
    }
}

/// what becomes of specific output without a name, and with another event's name.
fn names(is: &impl Fn(Reading) -> bool) -> (Flawed, Flawed) {
    match () {
        () if is(reading!("A-34", "ignored")) => (Flawed::Ignored, Flawed::Ignored),
        () if is(reading!("A-34", "missing accepted, other fails")) => (Flawed::Accepted, Flawed::Fails),
        () if is(reading!("A-34", "missing accepted, other ignored")) => (Flawed::Accepted, Flawed::Ignored),
        () => (Flawed::Fails, Flawed::Fails),
    }
}

/// The posture variants: for each open point that the runtime meets, every reading but the default, each with its name.
/// The reading `free` claims nothing, so there is nothing to show.
#[must_use]
pub fn variants() -> Vec<(String, Readings)> {
    let mut all = Vec::new();
    for point in PointId::all() {
        for name in point.readings().iter().skip(1).filter(|name| **name != "free") {
            if let Ok(reading) = Reading::parse(point.as_str(), name) {
                all.push((format!("{point}: {name}"), std::iter::once(reading).collect()));
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{Flawed, Space, Stance, variants};
    use hookproof_contract::{Readings, reading};

    #[test]
    fn a_point_that_is_not_fixed_has_its_default() {
        let stance = Stance::of(&Readings::default());
        assert!(stance.space == Space::Ecmascript && stance.lenient_json && stance.missing_name == Flawed::Fails);
    }

    #[test]
    fn a_fixed_reading_counts() {
        let stance = Stance::of(
            &[reading!("A-10", "ascii"), reading!("A-34", "missing accepted, other ignored")].into_iter().collect(),
        );
        assert!(stance.space == Space::Ascii);
        assert!(stance.missing_name == Flawed::Accepted && stance.other_name == Flawed::Ignored);
    }

    #[test]
    fn there_is_a_variant_for_every_other_reading_and_none_that_is_free() {
        let all = variants();
        assert!(all.iter().any(|(name, _)| name == "A-31: the field is dropped"));
        assert!(all.iter().all(|(name, readings)| !name.ends_with("free") && readings.len() == 1));
        assert!(all.len() > 30, "{}", all.len());
    }
}
