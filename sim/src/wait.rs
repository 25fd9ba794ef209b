//! Barriers of a block: who has come, when all have, and what is wrong where nobody can go on.

use crate::machine::{Block, State};
use crate::ptx::{BarrierVote, Kernel, NONE, Op, Vote};
use crate::race;
use crate::report::{Kind, Wrong};
use crate::schedule::Stop;

/// Numbers of barriers that a block has.
const BARRIERS: u64 = 16;

/// What a barrier instruction says, its operands read for the group that comes to it.
struct Said {
    number: u8,
    /// So many threads, or 0 for the whole block.
    threads: u32,
    waits: bool,
}

fn said(kernel: &Kernel, block: &Block, w: usize, at: u32, lanes: u32) -> Result<Said, Wrong> {
    let Some(Op::Barrier { number, threads, waits, .. }) = kernel.code.get(at as usize).map(|i| &i.op) else {
        return Err(Wrong::new(Kind::Launch, "a group waits at no barrier"));
    };
    let regs = &block.warps[w].regs;
    let lane = lanes.trailing_zeros() as usize & 31;
    let (number, count) = (regs[*number as usize][lane], regs[*threads as usize][lane]);
    if number >= BARRIERS || *threads != NONE && (count == 0 || !count.is_multiple_of(32)) {
        let what = format!("a barrier of number {number} and {count} threads");
        return Err(Wrong::new(Kind::Launch, what));
    }
    Ok(Said { number: number as u8, threads: count as u32, waits: *waits })
}

/// A group comes to a barrier.
pub fn arrive(kernel: &Kernel, block: &mut Block, w: usize, g: usize, passed: &mut u64) -> Result<(), Wrong> {
    let group = block.warps[w].groups[g];
    let said = said(kernel, block, w, group.at, group.lanes)?;
    let warp = &mut block.warps[w];
    if said.waits {
        warp.groups[g].state = State::Barrier(said.number);
    } else {
        // It goes on; what it knows stays for those who wait.
        warp.agent.meet(group.lanes, warp.all);
        let agent = warp.agent.clone();
        warp.agent.meet(group.lanes, warp.all);
        warp.groups[g].at += 1;
        block.passed.push((said.number, group.lanes.count_ones(), agent));
    }
    if said.threads == 0 {
        return Ok(());
    }
    let here = |w: &crate::machine::Warp| {
        let groups = w.groups.iter().filter(|g| g.state == State::Barrier(said.number));
        groups.map(|g| g.lanes.count_ones()).sum::<u32>()
    };
    let went: u32 = block.passed.iter().filter(|p| p.0 == said.number).map(|p| p.1).sum();
    let come = block.warps.iter().map(here).sum::<u32>() + went;
    if come > said.threads {
        let what = format!("{come} threads come to barrier {}, which is of {}", said.number, said.threads);
        return Err(Wrong::new(Kind::Divergence, what));
    }
    if come == said.threads {
        *passed += 1;
        release(kernel, block, said.number).map_err(|(_, (_, wrong))| wrong)?;
    }
    Ok(())
}

/// No lane of a block can run: lets them through the barrier that they have all come to.
pub fn stuck(kernel: &Kernel, block: &mut Block) -> Result<(), (usize, Stop)> {
    let mut number = None;
    for (w, warp) in block.warps.iter().enumerate() {
        for group in &warp.groups {
            let wrong = match (group.state, number) {
                (State::Members, _) => {
                    let what =
                        format!("lanes {:08x} wait for lanes of their warp that never arrive", group.lanes);
                    Wrong::new(Kind::Deadlock, what)
                }
                (State::Barrier(n), Some(m)) if n != m => {
                    Wrong::new(Kind::Deadlock, format!("lanes wait at barrier {n}, and others at {m}"))
                }
                (State::Barrier(n), _) => match said(kernel, block, w, group.at, group.lanes) {
                    Ok(Said { threads: 0, .. }) => {
                        number = Some(n);
                        continue;
                    }
                    Ok(Said { threads, .. }) => {
                        let what = format!("fewer than {threads} threads come to barrier {n}");
                        Wrong::new(Kind::Deadlock, what)
                    }
                    Err(wrong) => wrong,
                },
                (State::Ready, _) => continue,
            };
            return Err((w, (group.at, wrong)));
        }
    }
    number.map_or(Ok(()), |n| release(kernel, block, n))
}

/// Lets through those who wait at a barrier: whole warps at one instruction.
fn release(kernel: &Kernel, block: &mut Block, number: u8) -> Result<(), (usize, Stop)> {
    let state = State::Barrier(number);
    let mut at = None;
    let mut warps = 0u32;
    for (w, warp) in block.warps.iter().enumerate() {
        for group in warp.groups.iter().filter(|g| g.state == state) {
            let wrong = match at {
                Some(at) if at != group.at => {
                    Wrong::new(Kind::Divergence, "lanes of one block wait at different barriers")
                }
                // The barrier that `__syncthreads` becomes wants whole warps.
                _ if group.lanes != warp.all => {
                    let what = format!("only the lanes {:08x} of a warp come to the barrier", group.lanes);
                    Wrong::new(Kind::Divergence, what)
                }
                _ => {
                    at = Some(group.at);
                    warps |= 1 << w;
                    continue;
                }
            };
            return Err((w, (group.at, wrong)));
        }
    }
    let vote = at.and_then(|at| match &kernel.code.get(at as usize)?.op {
        Op::Barrier { vote, .. } => vote.as_deref(),
        _ => None,
    });
    if let Some(vote) = vote {
        count(block, warps, vote);
    }
    let here = |w: usize| warps >> w & 1 == 1;
    for (_, warp) in block.warps.iter_mut().enumerate().filter(|(w, _)| here(*w)) {
        for group in warp.groups.iter_mut().filter(|g| g.state == state) {
            (group.at, group.state) = (group.at + 1, State::Ready);
        }
        warp.join();
    }
    let mut went: Vec<_> =
        block.passed.extract_if(.., |p| p.0 == number).map(|(_, _, agent)| agent).collect();
    let waited = block.warps.iter_mut().enumerate().filter(|(w, _)| here(*w));
    let waited = waited.map(|(_, warp)| (&mut warp.agent, warp.all));
    race::barrier(waited.chain(went.iter_mut().map(|agent| (agent, u32::MAX))));
    Ok(())
}

/// What a barrier tells of a predicate of all who waited.
fn count(block: &mut Block, warps: u32, vote: &BarrierVote) {
    let mut waited: Vec<_> =
        block.warps.iter_mut().enumerate().filter(|(w, _)| warps >> w & 1 == 1).map(|(_, w)| w).collect();
    let (mut yes, mut all) = (0, 0);
    for warp in &waited {
        let by = warp.preds[vote.by.0 as usize] ^ if vote.by.1 { u32::MAX } else { 0 };
        yes += (by & warp.all).count_ones();
        all += warp.all.count_ones();
    }
    let holds = match vote.how {
        Vote::All => yes == all,
        _ => yes > 0,
    };
    for warp in &mut waited {
        match vote.to_pred {
            Some(to) => warp.preds[to as usize] = if holds { u32::MAX } else { 0 },
            None => warp.regs[vote.to as usize] = [yes.into(); 32],
        }
    }
}
