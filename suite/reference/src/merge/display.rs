//! What is shown of a message of the assistant (MessageDisplay; chapter *display*).

use super::Answered;
use crate::read::Ending;

/// The text in the place of the original: of several, that of the hook that ended last. One that failed has none to offer,
/// whatever it printed.
pub(super) fn merge(answers: Vec<Answered<'_>>) -> Option<String> {
    let succeeded = answers.into_iter().filter(|(_, answer)| answer.ending == Ending::Done);
    succeeded.filter_map(|(_, mut answer)| answer.output_mut()?.display.take()).last()
}
