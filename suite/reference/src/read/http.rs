//! What an HTTP answer says (chapter *http*).

use super::{Answer, Ending, json, stdout};
use crate::Scene;
use hookproof_contract::{End, HandlerResult};
use serde_json::Value;

/// Reads an HTTP answer: only an object in a 2xx body says something.
pub(crate) fn read(scene: &Scene<'_>, result: &HandlerResult) -> Answer {
    let mut answer = Answer::default();
    let status = match result.end {
        End::Exit(0) | End::Answered => 200,
        End::Status(status) => status,
        End::TimedOut => return Answer { ending: Ending::TimedOut, ..answer },
        _ => {
            answer.ending = Ending::Failed("no answer: the connection failed".to_owned());
            return answer;
        }
    };
    let body = result.out.lossy();
    if !body.is_empty() {
        answer.log.push(format!("HTTP {status}: {body}"));
    }
    if !(200..300).contains(&status) {
        answer.ending = Ending::Failed(format!("HTTP status {status}"));
        return answer;
    }
    let blank = stdout::trim(&body, scene.stance.space).is_empty();
    if body.is_empty() || (blank && !scene.stance.blank_body_fails) {
        return answer;
    }
    match json::parse(&body, scene.stance) {
        Ok(Value::Object(fields)) => answer.spoken = stdout::object(scene, fields),
        Ok(_) => answer.ending = Ending::Failed("the HTTP body is not a JSON object".to_owned()),
        Err(message) => answer.ending = Ending::Failed(format!("the HTTP body is {message}")),
    }
    answer.log_unknown_keys();
    answer
}

#[cfg(test)]
mod tests {
    use crate::testing::{said, stage_read};
    use hookproof_contract::{Audience, Fate, Outcome, Reading, reading};
    use serde_json::{Value, json};

    fn play(result: Value, readings: &[Reading]) -> Outcome {
        let case = json!({"settings": [{"from": "user", "settings": {"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "http", "url": "http://u"}]}]}}}],
                          "results": {"http://u": result}, "steps": [{"fire": {"event": "UserPromptSubmit", "input": {"prompt": "P-1"}}}]});
        stage_read(case, readings).remove(0)
    }

    fn is_error(outcome: &Outcome) -> bool {
        outcome.fate.is_none() && said(outcome, Audience::User).iter().any(|text| text.contains("hook error"))
    }

    #[test]
    fn an_object_in_a_2xx_body_decides() {
        let outcome = play(json!({"end": {"status": 201}, "out": r#"{"decision":"block","reason":"WHY-1"}"#}), &[]);
        assert_eq!(outcome.fate, Some(Fate::Prevented));
    }

    #[test]
    fn nothing_in_the_body_is_success() {
        for result in [json!({}), json!({"end": {"status": 204}}), json!({"end": {"status": 200}, "out": " \n"})] {
            let outcome = play(result, &[]);
            assert!(said(&outcome, Audience::User).is_empty() && outcome.fate.is_none());
        }
        assert!(is_error(&play(json!({"out": " \n"}), &[reading!("A-130", "other")])));
    }

    #[test]
    fn any_other_body_is_an_error_and_no_context() {
        for out in ["TEXT-1", "[1]", "\"TEXT-1\"", "{x}", r#"{"decision":5}"#, "null", "{}\n{}"] {
            let outcome = play(json!({"end": {"status": 200}, "out": out}), &[]);
            assert!(is_error(&outcome) && said(&outcome, Audience::Model).is_empty(), "{out}");
        }
    }

    #[test]
    fn no_other_answer_decides() {
        for end in [json!({"status": 500}), json!({"status": 403}), json!("refused"), json!("no_response")] {
            let outcome = play(json!({"end": end, "out": r#"{"decision":"block","reason":"WHY-1"}"#}), &[]);
            assert!(is_error(&outcome), "{end}");
        }
    }
}
