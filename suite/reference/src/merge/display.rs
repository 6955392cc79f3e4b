//! What is shown of a message of the assistant (MessageDisplay; chapter *display*).

use super::{Answered, Remark, contest::Contest, hook_name};
use crate::{Scene, read::Ending};

/// The text in the place of the original: of several, whose counts is open. A hook that failed has none to offer, whatever it
/// printed, and the log alone tells of it.
pub(super) fn merge(scene: &Scene<'_>, answers: Vec<Answered<'_>>, said: &mut Vec<Remark>) -> Option<String> {
    let mut shown = Contest::new(scene.stance.value_order);
    for (handler, mut answer) in answers {
        let how = match answer.ending {
            Ending::Done => {
                let text = answer.output_mut().and_then(|output| output.display.take());
                let is_none = |text: &String| text.is_empty() && scene.stance.blank_display_is_none;
                shown.offer(handler.place, text.filter(|text| !is_none(text)));
                continue;
            }
            Ending::Blocking => "exited 2",
            Ending::Failed(ref how) => how,
            Ending::TimedOut => "reached its timeout",
        };
        said.push(Remark::debug(&handler.name, format!("{} hook failed: {how}", hook_name(scene, &handler.name))));
    }
    shown.winner()
}
