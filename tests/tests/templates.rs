//! The templates: each compiles, and holds a function for every primitive, storage, cast and aggregate that the
//! signatures can ask for.

use compiler::emit::templates;
use compiler::plan::has_map;
use q::fun::{Class, FUNS};
use q::scalar::cast::{Cast, cast};
use q::scalar::name;
use q::sig::{sig1, sig2};
use q::value::Data;
use q::{Kind, Prim, Store};
use runtime::column::Elements;
use runtime::device::Output;
use runtime::device::nvrtc::Target;
use runtime::device::sim::{Schedule, Simulator};
use std::collections::BTreeMap;
use tests::kernels::Case;
use tests::nvrtc::{compile, found};

fn c_type(store: Store) -> &'static str {
    match store {
        Store::B => "u8",
        Store::G => "guid",
        Store::H => "i16",
        Store::I => "i32",
        Store::J => "i64",
        Store::E => "f32",
        Store::F => "f64",
        Store::S => "u32",
    }
}

fn file(name: &str) -> &'static str {
    templates().iter().find(|(n, _)| *n == name).expect("a template of that name").1
}

/// A function's argument types and result type.
type Signature = (Vec<Store>, Store);

/// Every element function that a plan can call, with its C signature.
fn functions() -> BTreeMap<String, Signature> {
    let mut all = BTreeMap::new();
    let kinds = || Kind::ALL.into_iter();
    for f in FUNS.iter().filter(|f| f.class == Class::Map && f.prim != Prim::Like) {
        for x in kinds() {
            if let Some(s) = sig1(f.prim, x).filter(|s| f.max == 1 && has_map(f.prim, s.arg, 1)) {
                all.insert(name(f.prim, s.arg), (vec![s.arg.store()], s.out.store()));
            }
            for s in kinds().filter_map(|y| sig2(f.prim, x, y)) {
                let args = if f.prim == Prim::Within { 3 } else { 2 };
                if has_map(f.prim, s.x, args) {
                    all.insert(name(f.prim, s.x), (vec![s.x.store(); args], s.via.store()));
                }
            }
        }
    }
    for (x, y) in kinds().flat_map(|x| kinds().map(move |y| (x, y))).filter(|(x, _)| *x != Kind::Enum) {
        if let Some(Cast::By(from, to)) = cast(x, y) {
            let name = format!("cast_{}_{}", from.letter(), to.letter());
            all.insert(name, (vec![from.store()], to.store()));
        }
    }
    for k in kinds() {
        let (l, s) = (k.store().letter(), k.store());
        all.insert(format!("cond_{l}"), (vec![Store::B, s, s], s));
    }
    all
}

/// Every accumulator that a plan can use, with its argument types and result type.
fn accumulators() -> BTreeMap<String, Signature> {
    let mut all = BTreeMap::new();
    for f in FUNS.iter().filter(|f| f.class == Class::Agg && f.prim != Prim::Med) {
        for x in Kind::ALL {
            if let Some(s) = sig1(f.prim, x).filter(|_| f.max == 1) {
                let boolean = s.arg == Kind::Bool && matches!(f.prim, Prim::Min | Prim::Max);
                // Which item it is, it finds by the row.
                if matches!(f.prim, Prim::First | Prim::Last) {
                    all.insert(format!("{}_row", f.stem), (vec![], Store::J));
                    continue;
                }
                let (name, args) = match f.prim {
                    Prim::Count => (f.stem.to_string(), vec![]),
                    _ if boolean => (format!("{}_bool", f.stem), vec![Store::B]),
                    _ => (format!("{}_{}", f.stem, s.arg.store().letter()), vec![s.arg.store()]),
                };
                all.insert(name, (args, s.out.store()));
            }
            for s in Kind::ALL.into_iter().filter_map(|y| sig2(f.prim, x, y)) {
                let name = format!("{}_{}", f.stem, s.x.store().letter());
                all.insert(name, (vec![s.x.store(); 2], s.via.store()));
            }
        }
    }
    all
}

#[test]
fn every_function_is_defined_with_its_types() {
    let text = file("scalar.cuh");
    let functions = functions();
    assert!(functions.len() > 200, "{}", functions.len());
    for (name, (args, out)) in &functions {
        let defines = |l: &&str| l.contains(&format!(" {name}("));
        let line =
            text.lines().filter_map(|l| l.strip_prefix("Q ").or(l.strip_prefix("CALLED "))).find(defines);
        let line = line.unwrap_or_else(|| panic!("scalar.cuh lacks {name}"));
        let head = line.split(['(', ')']).next().expect("a first piece");
        assert_eq!(head, format!("{} {name}", c_type(*out)));
        let given = line.split(['(', ')']).nth(1).expect("parameters");
        let given: Vec<&str> = given.split(", ").map(|p| p.split(' ').next().expect("a type")).collect();
        assert_eq!(given, args.iter().map(|a| c_type(*a)).collect::<Vec<_>>(), "{name}");
    }
    for name in accumulators().keys() {
        let text = file("agg.cuh");
        assert!(text.contains(&format!("struct {name} ")), "agg.cuh lacks {name}");
    }
}

/// Kernels that call every function and every accumulator, so that each is compiled and not just parsed.
fn callers() -> String {
    let mut text = String::new();
    for (i, (name, (args, out))) in functions().iter().enumerate() {
        let params: Vec<String> =
            args.iter().enumerate().map(|(j, a)| format!("const {} *x{j}", c_type(*a))).collect();
        let values: Vec<String> = (0..args.len()).map(|j| format!("x{j}[threadIdx.x]")).collect();
        let (params, values) = (params.join(", "), values.join(", "));
        text += &format!(
            "extern \"C\" __global__ void call{i}({params}, {} *o) {{ o[threadIdx.x] = {name}({values}); }}\n",
            c_type(*out)
        );
    }
    for (i, (name, (args, out))) in accumulators().iter().enumerate() {
        let params: String =
            args.iter().enumerate().map(|(j, a)| format!("const {} *x{j}, ", c_type(*a))).collect();
        let values: String = (0..args.len()).map(|j| format!(", x{j}[threadIdx.x]")).collect();
        text += &format!(
            "extern \"C\" __global__ void fold{i}({params}{} *o) {{ {name} a, b; a.init(); b.init(); \
             a.add(threadIdx.x{values}); b.join(shuffle_down(a, 1)); *o = b.done(); }}\n",
            c_type(*out)
        );
    }
    text
}

#[test]
fn every_template_compiles_alone() {
    if found("every_template_compiles_alone").is_none() {
        return;
    }
    let below = ["prelude.cuh", "scalar.cuh", "agg.cuh", "tiles.cuh", "group.cuh"];
    for (name, text) in templates() {
        // Alone but for what its head says it stands on: types, element functions, accumulators, tiles, tables.
        let before: String = below.iter().take_while(|b| *b != name).map(|b| file(b)).collect();
        compile(name, &format!("{before}{text}"), Target::Ptx(90));
    }
}

#[test]
fn every_function_compiles_to_machine_code() {
    if found("every_function_compiles_to_machine_code").is_none() {
        return;
    }
    let library: String = ["prelude.cuh", "scalar.cuh", "agg.cuh"].map(file).concat();
    let text = format!("{library}{}", callers());
    let compiled = compile("callers.cu", &text, Target::Cubin(90));
    let resources = compiled.resources();
    assert_eq!(resources.len(), functions().len() + accumulators().len());
    for r in resources {
        assert_eq!(r.spills, 0, "{r:?}");
    }
}

#[test]
fn the_simulator_knows_every_instruction_of_the_templates() {
    let Some(_) = found("the_simulator_knows_every_instruction_of_the_templates") else { return };
    let text: String = templates().iter().map(|t| t.1).collect::<String>() + &callers();
    runtime::device::sim::compile(&text).unwrap_or_else(|e| panic!("{e}"));
}

/// The float that is nearest to an odd number of quarters of a turn, for its size: 6381956970095103 times 2 to the 797.
const HARDEST: f64 = 5.319372648326541e255;

#[test]
fn angles_of_every_size_have_their_sines() {
    if found("angles_of_every_size_have_their_sines").is_none() {
        return;
    }
    let mut r = fastrand::Rng::with_seed(7);
    let mut angles: Vec<f64> = vec![HARDEST, 0.0, f64::MIN_POSITIVE, 1e6, 1e6 + 0.5, f64::MAX];
    // About every eighth of a turn, where another quarter is the nearest, and of every size.
    angles.extend((0..400).map(|i| f64::from(i) * std::f64::consts::FRAC_PI_4 * (1.0 + r.f64() * 1e-15)));
    angles.extend((0..2000).map(|i| (1.0 + r.f64()) * 2f64.powi(i % 1100 - 80)));
    let angles: Vec<String> = angles
        .iter()
        .enumerate()
        .map(|(i, x)| format!("{}{x:e}", if i % 3 == 1 { "-" } else { "" }))
        .collect();
    let case = Case::new(&format!("([]x:{})", angles.join(" ")), "select x,s:sin x,c:cos x,t:tan x from T");
    let ptx = runtime::device::sim::compile(&case.text()).expect("it compiles");
    let outputs = case.outputs(&mut Simulator::new(ptx, Schedule::default())).expect("it runs");
    let columns: Vec<Vec<f64>> = outputs
        .iter()
        .map(|output| match output {
            Output::Column(c) => match c.elements().expect("they are on the host") {
                Elements::Plain(Data::F(x)) => x.to_vec(),
                other => panic!("{other:?}"),
            },
            Output::Atom(a) => panic!("{a:?}"),
        })
        .collect();
    let [x, sines, cosines, tangents] = &columns[..] else { panic!("there are four") };
    let apart = |got: f64, want: f64| ((got - want) / want.abs().max(f64::MIN_POSITIVE)).abs() / f64::EPSILON;
    // The host's library is off by seven places here.
    assert_eq!((x[0], cosines[0]), (HARDEST, -4.687_165_924_254_628e-19));
    for (i, &x) in x.iter().enumerate().skip(1) {
        for (got, want, most) in
            [(sines[i], x.sin(), 1.0), (cosines[i], x.cos(), 1.0), (tangents[i], x.tan(), 2.0)]
        {
            assert!(apart(got, want) <= most, "{x:e}: {got:e}, not {want:e}: {}", apart(got, want));
        }
        assert_eq!(sines[i].is_sign_negative(), x.sin().is_sign_negative(), "{x:e}");
    }
}
