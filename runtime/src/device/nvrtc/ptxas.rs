//! The report of ptxas, which NVRTC's log carries: what each kernel takes of a multiprocessor.

/// What ptxas says that a kernel takes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Resources {
    /// The entry's name.
    pub kernel: String,
    /// Registers a thread.
    pub registers: u32,
    /// Bytes of static shared memory a block.
    pub shared: u32,
    /// Bytes of stack a thread.
    pub stack: u32,
    /// Bytes that registers are spilled to a thread's memory with, stores and loads.
    pub spills: u32,
}

/// Reads ptxas's report out of the log of a compile to machine code.
pub fn resources(log: &str) -> Vec<Resources> {
    let mut all: Vec<Resources> = Vec::new();
    for line in log.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            let kernel = rest.split('\'').next().unwrap_or("").to_string();
            all.push(Resources { kernel, ..Resources::default() });
        }
        let Some(last) = all.last_mut() else { continue };
        let number = |unit: &str| {
            let before = line.split_once(unit)?.0;
            before.rsplit([' ', ',']).find(|w| !w.is_empty())?.parse::<u32>().ok()
        };
        last.registers = number(" registers").unwrap_or(last.registers);
        last.shared = number(" bytes smem").unwrap_or(last.shared);
        last.stack = number(" bytes stack frame").unwrap_or(last.stack);
        last.spills += number(" bytes spill stores").unwrap_or(0) + number(" bytes spill loads").unwrap_or(0);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_is_read_line_by_line() {
        let log = "ptxas info    : 0 bytes gmem\n\
            ptxas info    : Compiling entry function 'k0' for 'sm_90'\n\
            ptxas info    : Function properties for k0\n    \
            808 bytes stack frame, 1980 bytes spill stores, 2332 bytes spill loads\n\
            ptxas info    : Used 32 registers, used 1 barriers, 128 bytes smem, 400 bytes cmem[0]\n\
            ptxas info    : Compiling entry function 'k0_end' for 'sm_90'\n    \
            0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n\
            ptxas info    : Used 8 registers, used 0 barriers\n";
        let k0 = Resources { kernel: "k0".into(), registers: 32, shared: 128, stack: 808, spills: 4312 };
        let end = Resources { kernel: "k0_end".into(), registers: 8, ..Resources::default() };
        assert_eq!(resources(log), [k0, end]);
        assert_eq!(resources("nothing of ptxas"), []);
    }
}
