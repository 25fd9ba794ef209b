//! What `LIBCUDA` in the environment sets, as words with blanks between them:
//!
//! | word | means | if not given |
//! |---|---|---|
//! | `devices=2` | how many devices | 1 |
//! | `memory=1000000` | bytes of each | 2³² |
//! | `arch=90` | compute capability; one that NVRTC does not know gets PTX, which can run here | 130 |
//! | `cuda=12080` | the driver's version | 13000 |
//! | `fail=cuLaunchKernel:3:700` | the third such call gives 700, and so do all that follow if it ends a device | |

use std::collections::HashMap;
use std::ffi::c_int;
use std::sync::{Mutex, OnceLock, PoisonError};

/// What is set.
pub struct Settings {
    pub devices: usize,
    pub memory: usize,
    pub arch: c_int,
    pub cuda: c_int,
    fail: Vec<(String, usize, c_int)>,
}

/// The settings of this process.
pub fn settings() -> &'static Settings {
    static SETTINGS: OnceLock<Settings> = OnceLock::new();
    SETTINGS.get_or_init(|| parse(&std::env::var("LIBCUDA").unwrap_or_default()))
}

fn parse(text: &str) -> Settings {
    let mut set = Settings { devices: 1, memory: 1 << 32, arch: 130, cuda: 13000, fail: vec![] };
    for word in text.split_whitespace() {
        let known = word.split_once('=').and_then(|(name, x)| {
            match name {
                "devices" => set.devices = x.parse().ok()?,
                "memory" => set.memory = x.parse().ok()?,
                "arch" => set.arch = x.parse().ok()?,
                "cuda" => set.cuda = x.parse().ok()?,
                "fail" => {
                    let (call, rest) = x.split_once(':')?;
                    let (nth, code) = rest.split_once(':')?;
                    set.fail.push((call.into(), nth.parse().ok()?, code.parse().ok()?));
                }
                _ => return None,
            }
            Some(())
        });
        assert!(known.is_some(), "LIBCUDA: {word} is not known");
    }
    set
}

/// The code that this call of a function fails with, if it is one that does.
pub fn fault(call: &str) -> Option<c_int> {
    static CALLS: Mutex<Option<HashMap<String, usize>>> = Mutex::new(None);
    let all = &settings().fail;
    let fails = |name: &str| name.trim_end_matches("_v2") == call.trim_end_matches("_v2");
    if !all.iter().any(|(name, ..)| fails(name)) {
        return None;
    }
    let mut calls = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
    let count = calls.get_or_insert_default().entry(call.trim_end_matches("_v2").into()).or_insert(0);
    *count += 1;
    all.iter().find(|(name, nth, _)| fails(name) && nth == count).map(|f| f.2)
}
