//! The packs of a kernel: which vectors a thread reads before it knows whether a row counts, which after, and the
//! structs and methods that hold and move them.

use super::Slot;
use super::kernel::{Writer, name};
use super::rows::{Held, Rows, element_type, group_of};
use crate::ir::Node;
use crate::plan::{KernelDef, Skeleton};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Bytes of shared memory that a compaction's tile of held columns may take.
const HELD: usize = 24 << 10;

/// The vectors of a kernel by when they are read.
pub struct Packs {
    /// What the masks and keys need; all of it where there are none.
    pub first: BTreeSet<Slot>,
    /// What else the results need.
    pub more: BTreeSet<Slot>,
    /// Of a compaction: those of `first` that the writes need too, held in shared memory.
    pub tile: BTreeSet<Slot>,
}

impl Packs {
    /// The vectors of a kernel.
    pub fn of(writer: &Writer) -> Packs {
        let def = writer.def;
        let rows = Rows::of_row(writer.graph, def, Held::new());
        let mut tests: Vec<Node> = def.own_masks(writer.graph).iter().chain(&def.keys).copied().collect();
        if def.skeleton == Skeleton::Scan {
            tests.extend(writer.scanned());
        }
        if def.numbered {
            let (first, results) = (BTreeSet::from([Slot::Ids(def.into)]), rows.vectors(&writer.wanted()));
            return Packs {
                more: results.difference(&first).copied().collect(),
                first,
                tile: BTreeSet::new(),
            };
        }
        let (first, results) = (rows.vectors(&tests), rows.vectors(&writer.wanted()));
        if tests.is_empty() {
            return Packs { first: results, more: BTreeSet::new(), tile: BTreeSet::new() };
        }
        let mut room = HELD / writer.tile();
        let fits = |slot: &&Slot| {
            let fits =
                matches!(def.skeleton, Skeleton::Compact | Skeleton::List) && writer.bytes(**slot) <= room;
            room -= if fits { writer.bytes(**slot) } else { 0 };
            fits
        };
        let tile = first.intersection(&results).filter(fits).copied().collect();
        let more = results.difference(&first).copied().collect();
        Packs { first, more, tile }
    }

    /// Where the methods that run before the rest is read find their vectors.
    pub fn before(&self) -> Held {
        self.first.iter().map(|&s| (s, ("in.", "[u]"))).collect()
    }

    /// Where the methods that run after it do.
    pub fn after(&self) -> Held {
        let more = self.more.iter().map(|&s| (s, ("more.", "[u]")));
        more.chain(self.before()).collect()
    }

    /// Where the writes of a compaction do.
    pub fn written(&self) -> Held {
        self.tile.iter().map(|&s| (s, ("tile.", "[l]"))).collect()
    }
}

impl Writer<'_> {
    /// What the results are computed from, row by row.
    fn wanted(&self) -> Vec<Node> {
        let def: &KernelDef = self.def;
        match def.skeleton {
            Skeleton::Scan => self.scanned(),
            Skeleton::Select | Skeleton::Member => Vec::new(),
            // Rows are listed when it is known which, and read where they lie.
            Skeleton::List if def.lists.is_some() => Vec::new(),
            Skeleton::Map | Skeleton::Compact | Skeleton::List => {
                def.writes.iter().map(|&n| self.moved(n)).collect()
            }
            Skeleton::Reduce | Skeleton::Group => {
                self.aggregates().flat_map(|(n, _)| self.graph.added(n)).copied().collect()
            }
        }
    }

    /// Bytes that an element of a vector takes in memory.
    fn bytes(&self, slot: Slot) -> usize {
        match slot {
            Slot::Load(n) | Slot::Write(n) => self.graph.width(n),
            _ => 4,
        }
    }

    /// A struct with a pack, or another number of elements, of each vector.
    pub fn packed(&self, what: &str, slots: &BTreeSet<Slot>, length: &str, code: &mut String) {
        // Packs are moved as a whole to shared memory too.
        let _ = writeln!(code, "    struct alignas(16) {what} {{");
        for &slot in slots {
            let ty = match slot {
                Slot::Load(n) | Slot::Write(n) => element_type(self.graph, n),
                _ => "i32",
            };
            let _ = writeln!(code, "        {ty} {}[{length}];", name(slot));
        }
        code.push_str("    };\n");
    }

    /// The method that reads a pack of each vector.
    pub fn loads(&self, method: &str, slots: &BTreeSet<Slot>, code: &mut String) {
        let (class, to) = if method == "load" { ("In", "in") } else { ("More", "more") };
        self.method(&format!("void {method}({class} &{to}, i64 i)"), code, |_, out| {
            self.either(slots, out, |way, left, s| match s {
                Slot::Ids(dim) if way == ONE => format!("{to}.{}[0] = {};", name(s), group_of(dim)),
                _ if way == ONE => format!("{to}.{0}[0] = {0}[i];", name(s)),
                Slot::Ids(dim) => {
                    let places = name(Slot::Places(dim));
                    format!("get_groups{way}({to}.{0}, {0}, {places}, i{left});", name(s))
                }
                _ => format!("get{way}({to}.{0}, {0} + i{left});", name(s)),
            });
        });
    }

    /// The method that stores a pack of each result.
    pub fn store(&self, slots: &BTreeSet<Slot>, code: &mut String) {
        self.method("void store(const Out &out, i64 i)", code, |_, out| {
            self.either(slots, out, |way, left, s| match way {
                ONE => format!("{0}[i] = out.{0}[0];", name(s)),
                _ => format!("put{way}({0} + i, out.{0}{left});", name(s)),
            });
        });
    }

    /// The method that puts a pack of the held columns into the tile.
    pub fn hold(&self, slots: &BTreeSet<Slot>, code: &mut String) {
        self.method("void hold(Tile &tile, const In &in, i32 l)", code, |_, out| {
            for &s in slots {
                let _ = writeln!(out, "        put(tile.{0} + l, in.{0});", name(s));
            }
        });
    }

    /// The members and statement that say whether packs are moved as a whole.
    pub fn wide(&self, slots: &BTreeSet<Slot>) -> String {
        // Group numbers are memory of the run's own, and aligned for all.
        let columns = slots.iter().filter(|s| !matches!(s, Slot::Ids(_)));
        let tests: Vec<String> = columns.map(|&s| format!("aligned<PACK>({})", name(s))).collect();
        format!("        wide = {};\n", if tests.is_empty() { "true".into() } else { tests.join(" && ") })
    }

    /// A call for each vector that moves a whole pack, and one that moves it element by element; for a pack of one row
    /// one statement, [`ONE`], which asks for no more alignment than its elements.
    fn either(&self, slots: &BTreeSet<Slot>, out: &mut String, call: impl Fn(&str, &str, Slot) -> String) {
        if slots.is_empty() {
            return;
        }
        let calls = |way: &str, left: &str, gap: &str| {
            let call = |&s: &Slot| format!("{gap}{}\n", call(way, left, s));
            slots.iter().map(call).collect::<String>()
        };
        if self.def.pack(self.graph) == 1 {
            return out.push_str(&calls(ONE, "", "        "));
        }
        let gap = "            ";
        let _ = write!(
            out,
            "        if (wide && n - i >= PACK) {{\n{}        }} else {{\n{}        }}\n",
            calls("", "", gap),
            calls("_some", ", n - i", gap)
        );
    }
}

/// The way of a pack of one row.
const ONE: &str = "one";
