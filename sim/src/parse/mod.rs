//! PTX text to kernels.
//!
//! [`text`] cuts it into statements, [`build`] numbers registers and lays out memory, [`instruction`] and
//! [`memory`] decode. Device functions are put in place of their calls, so a kernel is one list of instructions.

mod build;
mod instruction;
mod memory;
mod operand;
mod text;

use super::ptx::Ptx;

/// Why a text is not understood: the line, counted from 1, the kernel, and what is wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{kernel}: PTX line {line}: {what}")]
pub struct ParseError {
    /// The kernel or function; empty outside one.
    pub kernel: String,
    /// The line of the PTX.
    pub line: u32,
    /// What is wrong, with the statement.
    pub what: String,
}

/// Parses the PTX of a unit.
///
/// # Errors
/// The first statement that is not understood.
pub fn parse(text: &str) -> Result<Ptx, ParseError> {
    let module = text::cut(text)?;
    let mut kernels = Vec::new();
    for routine in module.routines.iter().filter(|r| r.entry) {
        kernels.push(build::kernel(&module, routine)?);
    }
    Ok(Ptx { kernels, globals: module.globals })
}

#[cfg(test)]
mod tests {
    use super::super::ptx::{NONE, Op, Space, Special, Ty};
    use super::*;

    const HEAD: &str = ".version 9.0\n.target sm_90\n.address_size 64\n";

    fn one(body: &str) -> Result<Ptx, ParseError> {
        parse(&format!(
            "{HEAD}.visible .entry k(\n.param .u64 k_param_0\n)\n{{\n.reg .b32 %r<9>;\n{body}\n}}\n"
        ))
    }

    #[test]
    fn kernels_have_registers_labels_and_memory() {
        let ptx = parse(&format!(
            "{HEAD}.global .align 8 .b8 table[3] = {{1, 2, 255}};\n\
             .visible .entry k(\n.param .u64 k_param_0,\n.param .align 8 .b8 k_param_1[16]\n)\n\
             .maxntid 256, 1, 1\n{{\n.reg .pred %p<2>;\n.reg .b32 %r<3>;\n.reg .b64 %rd<5>;\n\
             .shared .align 8 .b8 room[64];\n.shared .align 4 .u32 one;\n.loc 1 7 3\n\
             ld.param.u64 %rd1, [k_param_1+8];\nmov.u32 %r1, %tid.x; // a comment\n$L_top:\n\
             setp.lt.s32 %p1, %r1, -5;\n@!%p1 bra $L_top;\nmov.u64 %rd2, table;\nmov.u32 %r2, one;\n\
             ld.shared.v2.u64 {{%rd3, %rd4}}, [room+16];\nld.shared.u32 %r2, [%rd3+-8];\nret;\n}}\n"
        ))
        .expect("the text is sound");
        assert_eq!(ptx.globals, [("table".to_string(), vec![1, 2, 255])]);
        let k = &ptx.kernels[0];
        let arrays: Vec<_> = k.arrays.iter().map(|a| (a.offset, a.bytes)).collect();
        assert_eq!((k.name.as_str(), &k.params[..]), ("k", &[8, 16][..]));
        assert_eq!(arrays, [(0, 64), (192, 4)], "a red zone between them");
        assert!(k.reads.iter().any(|r| (r.0, r.1, r.2) == (1, 8, Ty::Bits(8))));
        assert!(k.specials.iter().any(|s| s.1 == Special::Thread));
        assert!(k.constants.iter().any(|c| c.1 == 192), "the second array lies behind the first");
        assert_eq!(k.globals.len(), 1);
        let jump = k.code.iter().find(|i| matches!(i.op, Op::Branch { .. })).expect("a branch");
        assert!(matches!(jump.op, Op::Branch { target: 2 }) && jump.guard.is_some_and(|g| g.1), "{jump:?}");
        assert_eq!(jump.source, 7);
        let load = k.code.iter().find_map(|i| match &i.op {
            Op::Load { access, to } => Some((access.space, access.offset, to.len())),
            _ => None,
        });
        assert_eq!(load, Some((Space::Shared, 16, 2)));
        let offsets = k.code.iter().filter_map(|i| match &i.op {
            Op::Load { access, .. } => Some(access.offset),
            _ => None,
        });
        assert_eq!(offsets.collect::<Vec<_>>(), [16, -8]);
    }

    #[test]
    fn functions_stand_in_place_of_their_calls() {
        let ptx = parse(&format!(
            "{HEAD}.func (.param .b32 back) twice(.param .b32 twice_param_0);\n\
             .visible .entry k(.param .u64 k_param_0)\n{{\n.reg .b32 %r<4>;\nmov.u32 %r1, 4;\n\
             {{ // callseq 0, 0\n.param .b32 param0;\nst.param.b32 [param0+0], %r1;\n.param .b32 retval0;\n\
             call.uni (retval0),\ntwice,\n(\nparam0\n);\nld.param.b32 %r2, [retval0+0];\n}}\nret;\n}}\n\
             .func (.param .b32 back) twice(.param .b32 twice_param_0)\n{{\n\t.local .align 8 .b8 \t__depot1[40];\n.reg .b64 %SP;\n.reg .b32 %r<4>;\n\
             mov.u64 %SP, __depot1;\nld.param.u32 %r1, [twice_param_0];\nadd.s32 %r2, %r1, %r1;\nst.param.b32 [back+0], %r2;\nret;\n}}\n"
        ))
        .expect("the text is sound");
        let code = &ptx.kernels[0].code;
        assert_eq!(ptx.kernels[0].local, 40);
        let adds =
            code.iter().filter(|i| matches!(i.op, Op::Compute { args, .. } if args[1] != NONE)).count();
        let exits = code.iter().filter(|i| matches!(i.op, Op::Exit)).count();
        assert_eq!((adds, exits), (1, 2), "the kernel's own ret and its end, and not the function's");
    }

    #[test]
    fn registers_may_have_any_name_in_their_scope() {
        let half = "{ .reg .b16 tmp; mov.b32 {tmp, %r2}, %r1; }";
        one(&format!("{half} {half}")).expect("each scope has one of its own");
        assert!(one(&format!("{half} mov.b32 %r1, tmp;")).is_err());
    }

    #[test]
    fn what_is_not_known_is_named_with_its_line() {
        let error = one("wgmma.fence.sync.aligned;").expect_err("no such opcode here");
        assert_eq!((error.kernel.as_str(), error.line), ("k", 9));
        assert!(error.what.contains("wgmma"), "{error}");
        for (text, part) in [
            ("add.s32 %r1, %r2;", "operands"),
            ("bra $nowhere;", "$nowhere"),
            ("mov.u32 %r1, what;", "what"),
            ("add.rm.f64 %r1, %r2, %r3;", "add.rm.f64"),
            ("ld.global.u32 %r1, [%r2;", "[%r2"),
            ("call.uni (a), missing, (b);", "missing"),
        ] {
            let error = one(text).expect_err(text);
            assert!(error.what.contains(part), "{text}: {error}");
        }
        assert!(parse(".visible .entry k(").is_err());
        assert!(parse("}").is_err());
    }

    #[test]
    fn broken_texts_are_errors_or_kernels() {
        let sound = format!(
            "{HEAD}.global .align 8 .b8 t[3] = {{1, 2}};\n.visible .entry k(.param .u64 k_param_0)\n{{\n\
             .reg .pred %p<3>;\n.reg .b32 %r<9>;\n.shared .align 8 .b8 room[64];\n\
             ld.param.u64 %r1, [k_param_0+0];\n$a: @%p1 bra $a;\nmov.b64 {{%r1, %r2}}, %r3;\n\
             st.shared.v2.u32 [room+8], {{%r1, %r2}};\natom.global.cas.b64 %r1, [%r2], %r3, %r4;\n\
             shfl.sync.down.b32 %r1|%p1, %r2, 1, 31, -1;\nsetp.lt.and.s32 %p1|%p2, %r1, %r2, !%p2;\n\
             {{ .reg .b32 %r<2>;\nbfi.b32 %r1, %r2, %r3, 4, 5;\n}}\nret;\n}}\n"
        );
        parse(&sound).expect("the text is sound");
        let mut state = 1u64;
        let mut next = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % n
        };
        for _ in 0..2000 {
            let mut text = sound.clone().into_bytes();
            for _ in 0..=next(3) {
                let at = next(text.len());
                match next(3) {
                    0 => _ = text.remove(at),
                    1 => text[at] = b"{}[](),;:+-.@!%$_ 09a\n"[next(22)],
                    _ => text.truncate(at.max(1)),
                }
            }
            // Whatever comes of it, it comes without a panic.
            let _result = parse(&String::from_utf8_lossy(&text));
        }
    }
}
