//! Where the console's lines come from: a thread waits for the terminal or the pipe, so that the timer runs while
//! nobody types.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Instant;

/// What came of waiting for a line.
pub enum Input {
    /// A line without its end.
    Line(Vec<u8>),
    /// The interrupt key: no line.
    Interrupted,
    /// No more lines; the console ends with this code.
    End(u8),
}

/// Lines, each read when it is asked for, so that a running query may read the same input.
pub struct Lines {
    ask: Sender<String>,
    told: Receiver<Input>,
}

impl Lines {
    /// Reads with `read`, which gets the prompt, on a thread of its own.
    pub fn new(mut read: impl FnMut(&str) -> Input + Send + 'static) -> Lines {
        let (ask, asked) = channel::<String>();
        let (tell, told) = channel();
        std::thread::spawn(move || {
            for prompt in asked {
                if tell.send(read(&prompt)).is_err() {
                    return;
                }
            }
        });
        Lines { ask, told }
    }

    /// Begins to wait for a line.
    pub fn ask(&self, prompt: String) {
        // A reader that is gone tells so below.
        let _ = self.ask.send(prompt);
    }

    /// The line that was asked for; none when it is `until` and none has come.
    pub fn wait(&self, until: Option<Instant>) -> Option<Input> {
        let Some(until) = until else { return Some(self.told.recv().unwrap_or(Input::End(1))) };
        match self.told.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(input) => Some(input),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Input::End(1)),
        }
    }
}
