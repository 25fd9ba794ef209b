//! Picks from `templates/` what a unit uses: whole skeletons, and of the functions and accumulators those that
//! the code names, with what they name in turn.

use crate::ir::Graph;
use crate::plan::{KernelDef, Skeleton, Way};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::OnceLock;

/// The templates by file name, in the order in which they depend on each other.
pub const FILES: &[(&str, &str)] = &[
    ("prelude.cuh", include_str!("../../../templates/prelude.cuh")),
    ("scalar.cuh", include_str!("../../../templates/scalar.cuh")),
    ("agg.cuh", include_str!("../../../templates/agg.cuh")),
    ("running.cuh", include_str!("../../../templates/running.cuh")),
    ("map.cuh", include_str!("../../../templates/map.cuh")),
    ("reduce.cuh", include_str!("../../../templates/reduce.cuh")),
    ("tiles.cuh", include_str!("../../../templates/tiles.cuh")),
    ("compact.cuh", include_str!("../../../templates/compact.cuh")),
    ("scan.cuh", include_str!("../../../templates/scan.cuh")),
    ("places.cuh", include_str!("../../../templates/places.cuh")),
    ("group.cuh", include_str!("../../../templates/group.cuh")),
    ("member.cuh", include_str!("../../../templates/member.cuh")),
    ("list.cuh", include_str!("../../../templates/list.cuh")),
    ("select.cuh", include_str!("../../../templates/select.cuh")),
    ("sort.cuh", include_str!("../../../templates/sort.cuh")),
    ("order.cuh", include_str!("../../../templates/order.cuh")),
    ("take.cuh", include_str!("../../../templates/take.cuh")),
];

/// A function, macro or struct of `scalar.cuh`, `agg.cuh` or `running.cuh`.
struct Item {
    name: &'static str,
    text: &'static str,
}

struct Library {
    items: Vec<Item>,
    by_name: FxHashMap<&'static str, usize>,
}

fn file(name: &str) -> &'static str {
    FILES.iter().find(|(n, _)| *n == name).map_or("", |(_, text)| text)
}

fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let items: Vec<Item> =
            ["scalar.cuh", "agg.cuh", "running.cuh"].into_iter().flat_map(|f| items(file(f))).collect();
        let by_name = items.iter().enumerate().map(|(i, item)| (item.name, i)).collect();
        Library { items, by_name }
    })
}

/// Cuts a file into its items: each begins at the margin and runs to a line that ends it there.
fn items(text: &'static str) -> Vec<Item> {
    let mut items = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let line = rest.lines().next().unwrap_or("");
        let first = ["Q ", "CALLED ", "struct ", "template <class T, class W> struct ", "#define "]
            .into_iter()
            .any(|s| line.starts_with(s));
        // A body that opens at the end of the line closes at the margin.
        let len = if first && line.ends_with('{') {
            rest.find("\n}").map_or(rest.len(), |end| end + rest[end + 1..].find('\n').map_or(1, |n| n + 2))
        } else {
            line.len() + 1
        };
        if let Some(name) = Some(line).filter(|_| first).and_then(name) {
            items.push(Item { name, text: &rest[..len.min(rest.len())] });
        }
        at += len;
    }
    items
}

/// What an item's first line defines: the word after `struct` or `#define`, or before the parameter list.
fn name(line: &'static str) -> Option<&'static str> {
    let mut words = words(line);
    match line.split(' ').next()? {
        "Q" | "CALLED" => {
            let head = line.split('(').next()?;
            head.rsplit([' ', '*', '&']).next()
        }
        "template" => words.skip_while(|w| *w != "struct").nth(1),
        _ => words.nth(1),
    }
}

/// The identifiers of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|w| !w.is_empty())
}

/// The prelude, the items that `code` and the templates `files` use, and these.
pub fn of(files: &[&str], code: &str) -> String {
    let library = library();
    let mut used = vec![false; library.items.len()];
    let mut todo = vec![code];
    let mut seen = FxHashSet::default();
    while let Some(text) = todo.pop() {
        for word in words(text).filter(|w| seen.insert(*w)) {
            if let Some(&i) = library.by_name.get(word) {
                used[i] = true;
                todo.push(library.items[i].text);
            }
        }
    }
    let mut text = file("prelude.cuh").to_string();
    text.push('\n');
    library.items.iter().zip(used).filter(|(_, used)| *used).for_each(|(item, _)| text.push_str(item.text));
    for (_, part) in FILES.iter().filter(|(name, _)| files.contains(name)) {
        text.push('\n');
        text.push_str(&with_entry(part, None));
    }
    text.push('\n');
    text
}

/// A template with one of its `ENTRY` kernels, or none.
fn with_entry(file: &str, name: Option<&str>) -> String {
    let mut text = String::new();
    let mut kept = true;
    for line in file.lines() {
        let begins = line.strip_prefix("ENTRY ");
        if let Some(head) = begins {
            kept = head.split('(').next() == name;
        }
        if kept {
            text.push_str(line);
            text.push('\n');
        }
        let ends = if begins.is_some() { line.ends_with('}') } else { line == "}" };
        kept |= ends;
    }
    text
}

/// The unit of an `ENTRY` kernel.
pub fn common(name: &str) -> Option<String> {
    let begins = format!("\nENTRY {name}(");
    let (_, found) = FILES.iter().find(|(_, text)| text.contains(&begins))?;
    Some([file("prelude.cuh"), file("tiles.cuh"), &with_entry(found, Some(name))].join("\n"))
}

/// The templates that a kernel's entries are made of, besides the functions that they name.
pub fn files(graph: &Graph, def: &KernelDef) -> &'static [&'static str] {
    match def.skeleton {
        Skeleton::Map => &["map.cuh"],
        Skeleton::Reduce => &["reduce.cuh"],
        Skeleton::Compact => &["tiles.cuh", "compact.cuh"],
        Skeleton::Group => &["group.cuh"],
        Skeleton::Scan => {
            let ways = def.ways(graph);
            match (ways.iter().any(|w| w.2 == Way::Running), ways.iter().any(|w| w.2 != Way::Running)) {
                (_, false) => &["tiles.cuh", "scan.cuh"],
                (false, true) => &["places.cuh"],
                (true, true) => &["tiles.cuh", "scan.cuh", "places.cuh"],
            }
        }
        Skeleton::Member => &["group.cuh", "member.cuh"],
        Skeleton::List if def.lists.is_some() => &["list.cuh"],
        Skeleton::List if def.masks.is_empty() => &["map.cuh"],
        Skeleton::List => &["tiles.cuh", "compact.cuh"],
        // All of its entries are of no plan.
        Skeleton::Select => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_stands_alone() {
        let text = common("sort_pass_8").expect("there is such a kernel");
        assert_eq!(text.matches("\nENTRY ").count(), 1);
        assert!(text.contains("\nENTRY sort_pass_8(") && text.contains("Q void sort_pass("));
        assert!(text.contains("Q u64 tile_read(") && text.contains("#define ENTRY"));
        assert_eq!(common("sort_pass"), None);
        assert!(!of(&["group.cuh"], "").contains("\nENTRY "));
    }

    #[test]
    fn items_are_whole_and_found_with_what_they_use() {
        let names: Vec<&str> = library().items.iter().map(|i| i.name).collect();
        for name in
            ["add_j", "cast_d_p", "close", "DAY_NS", "sum_f", "moments", "wavg_f", "count", "month_of"]
        {
            assert!(names.contains(&name), "{name}");
        }
        assert_eq!(library().by_name.len(), names.len(), "no name is defined twice");
        for item in &library().items {
            let (open, close) = (item.text.matches('{').count(), item.text.matches('}').count());
            assert_eq!(open, close, "{}", item.text);
            assert!(item.text.ends_with('\n'), "{}", item.text);
        }
        let text = of(&[], "eq_f(v1, cast_m_z(v2)); var_f a;");
        for part in
            ["Q bool close(", "CALLED i64 first_of(", "struct moments {", "Q u8 eq_f(", "#define DAY_NS"]
        {
            assert_eq!(text.contains(part), part != "#define DAY_NS", "{part}");
        }
        assert!(!text.contains("add_j"));
    }
}
