//! A progress bar for long loads: on the terminal only, and only once a load has taken a while.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

/// Loads shorter than this show nothing.
const PATIENCE: Duration = Duration::from_millis(500);

/// What the interpreter tells of bytes done and in all; none where standard error is no terminal.
pub fn bar() -> Option<Box<dyn FnMut(u64, u64) + Send>> {
    if !io::stderr().is_terminal() {
        return None;
    }
    let mut load: Option<(Instant, ProgressBar)> = None;
    Some(Box::new(move |done, all| {
        let (begun, bar) = load.get_or_insert_with(|| (Instant::now(), hidden(all)));
        if bar.is_hidden() && begun.elapsed() > PATIENCE {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        bar.set_length(all);
        bar.set_position(done);
        if done >= all {
            bar.finish_and_clear();
            load = None;
        }
    }))
}

fn hidden(all: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {bytes}/{total_bytes} {eta}")
        .expect("the template is a constant that parses");
    ProgressBar::with_draw_target(Some(all), ProgressDrawTarget::hidden()).with_style(style)
}
