//! What a recurrence gives to `places.cuh`: the method that makes a row's result from the one before it.

use super::Slot;
use super::kernel::{Writer, name};
use super::rows::{elementwise, original, value, value_type};
use crate::ir::{Dim, Graph, Node, Op};
use crate::plan::Way;
use std::fmt::Write;

impl Writer<'_> {
    /// The methods of all recurrences of a Scan.
    pub fn steps(&self, code: &mut String) {
        for (n, _) in self.ways(|way| way == Way::Stepped) {
            let (graph, args, ty) = (self.graph, &self.graph.nodes[n].args, value_type(self.graph, n));
            let Op::Steps(step, _) = graph.nodes[n].op else { continue };
            let Some(step) = graph.steps.get(step as usize) else { continue };
            let mut body = format!("        if (begins) return {}[i];\n", name(Slot::Load(args[0])));
            for (at, def) in step.nodes.iter().filter(|(at, _)| original(step, *at) == *at) {
                let x = match def.op {
                    Op::Null => continue,
                    Op::Argument(0) => "at".to_string(),
                    Op::Argument(i) => self.argument(graph, args[i as usize]),
                    _ => elementwise(step, at),
                };
                let _ = writeln!(body, "        {} {} = {x};", value_type(step, at), value(step, at));
            }
            let out = step.outputs.first().map_or(String::new(), |out| value(step, out.node));
            let _ = writeln!(body, "        return {out};");
            let _ = write!(
                code,
                "    Q {ty} step{}({ty} at, i64 i, bool begins) const {{\n{body}    }}\n",
                n.as_u32()
            );
        }
    }

    /// An argument of a step at row `i`. The step's own values have the names of atoms, which are the kernel's members.
    fn argument(&self, graph: &Graph, x: Node) -> String {
        match (graph.ty(x).dim, graph.nodes[x].op) {
            (Dim::ONE, Op::Null) => value(graph, x),
            (Dim::ONE, _) => format!("this->{}", value(graph, x)),
            _ => format!("{}[i]", name(Slot::Load(x))),
        }
    }
}
