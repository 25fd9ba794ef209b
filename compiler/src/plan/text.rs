//! The textual form of a plan, for people and snapshots: each kernel as its lists of nodes and its cost line.
//! What the nodes are, the graph's own text says.

use super::cost::{KernelCost, PlanCost, cost};
use super::{KernelDef, Plan, Skeleton};
use crate::ir::{Dim, Node};
use std::fmt::{self, Display, Formatter};

impl Display for Plan {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let cost = cost(self);
        for (def, cost) in self.kernels.values().zip(&cost.kernels) {
            write!(f, "{} {} {}", cost.kernel, def.skeleton.name(), def.over)?;
            writeln!(
                f,
                "{}",
                if def.into == def.over { String::new() } else { format!(" -> {}", def.into) }
            )?;
            lists(f, def)?;
            writeln!(f, "  cost    {cost}")?;
            if !def.reason.is_empty() {
                writeln!(f, "  why     {}", def.reason)?;
            }
        }
        write!(f, "{cost}")
    }
}

fn lists(f: &mut Formatter<'_>, def: &KernelDef) -> fmt::Result {
    let lists: [(&str, &[Node]); 12] = [
        ("load", &def.loads),
        ("gather", &def.gathers),
        ("table", &def.tables),
        ("atom", &def.atoms),
        ("head", &def.head),
        ("mask", &def.masks),
        ("body", &def.body),
        ("key", &def.keys),
        ("result", &def.results),
        ("join", &def.joins),
        ("tail", &def.tail),
        ("write", &def.writes),
    ];
    for (name, nodes) in lists.into_iter().filter(|(_, nodes)| !nodes.is_empty()) {
        let nodes: Vec<String> = nodes.iter().map(Node::to_string).collect();
        let ids = if name == "write" && def.group_ids { ", group numbers" } else { "" };
        writeln!(f, "  {name:<7} {}{ids}", nodes.join(" "))?;
    }
    if def.writes.is_empty() && def.group_ids {
        writeln!(f, "  write   group numbers")?;
    }
    Ok(())
}

impl Display for KernelCost {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}, reads {} B a row of {}",
            count(self.launches, "launch", "launches"),
            self.read,
            self.over
        )?;
        if self.gathered > 0 {
            write!(f, ", gathers {} B", self.gathered)?;
        }
        let per = if self.into == Dim::ONE { "once".into() } else { format!("a row of {}", self.into) };
        write!(f, ", writes {} B {per}", self.written)?;
        if self.ids > 0 {
            write!(f, " and {} B a row of {}", self.ids, self.over)?;
        }
        if self.crowded > 0 {
            let beyond = match self.skeleton {
                Skeleton::Select => "512 items",
                Skeleton::Member => "the cache",
                _ => "4,096 groups",
            };
            write!(f, ", {} B more a row beyond {beyond}", self.crowded)?;
        }
        Ok(())
    }
}

impl Display for PlanCost {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let kernels = count(self.kernels.len(), "kernel", "kernels");
        let launches = count(self.launches, "launch", "launches");
        write!(f, "cost: {kernels}, {launches}, reads {} B a row (least {})", self.read, self.least_read)?;
        write!(f, ", writes {} B a row (least {})", self.written, self.least_written)?;
        if self.shared > 0 {
            write!(f, ", shares {}", count(self.shared, "output", "outputs"))?;
        }
        writeln!(f)
    }
}

fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
