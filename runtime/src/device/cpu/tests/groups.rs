//! Group: every strategy against a sorted map.

use super::*;
use q::scalar::Key;
use std::collections::BTreeMap;

/// select sum x, n:count i, avg y, min y, max x, first x, last y, var y, cor, wavg by k from t where x>p, and the
/// count spread back over the rows.
fn text(kind: &str) -> String {
    format!(
        "c0 = k: {kind}\nc1 = x: long\nc2 = y: float\np0 = literal 0: long\nd1 = rows
        n0: {kind}[d1] = col c0\nn1: long[d1] = col c1\nn2: float[d1] = col c2\nn3: long = param p0
        n4: boolean[d1] = gt n1, n3\nd2 = kept d1, n4
        n5: {kind}[d2] = keep n0\nn6: long[d2] = keep n1\nn7: float[d2] = keep n2\nd3 = groups d2, n5
        n8: {kind}[d3] = key 0\nn9: long[d3] = sum n6\nn10: long[d3] = count n6\nn11: float[d3] = avg n7
        n12: float[d3] = min n7\nn13: long[d3] = max n6\nn14: long[d3] = first n6\nn15: float[d3] = last n7
        n16: float[d3] = var n7\nn17: float[d2] = cast n6\nn18: float[d3] = wavg n17, n7\nn19: float[d3] = cor n17, n7
        n20: long[d3] = add n9, n10\nn21: long[d1] = spread n10
        out table k = n8, s = n9, n = n10, a = n11, l = n12, h = n13, f = n14, z = n15, v = n16, w = n18, c = n19, t = n20, i = n21"
    )
}

#[derive(Default)]
struct Want {
    x: Vec<i64>,
    y: Vec<f64>,
}

fn near(got: f64, want: f64) -> bool {
    got == want || got.is_nan() & want.is_nan() || (got - want).abs() <= 1e-9 * want.abs().max(1.0)
}

/// Checks the query on keys `k` against plain code.
fn check<T: Key>(kind: Kind, k: &[T], least: i64) {
    let n = k.len();
    let mut random = Random(n as u64);
    let (x, y) = (random.longs(n), random.floats(n));
    let inputs = [column(kind, k.to_vec()), column(Kind::Long, x.clone()), column(Kind::Float, y.clone())];
    let out = run(&text(kind.name()), &inputs, &[atom(Kind::Long, least)], n);
    let mut groups: BTreeMap<u64, Want> = BTreeMap::new();
    for i in (0..n).filter(|&i| x[i] > least) {
        let want = groups.entry(k[i].key()).or_default();
        want.x.push(x[i]);
        want.y.push(y[i]);
    }
    let keys: Vec<u64> = items::<T>(&out[0]).iter().map(|k| k.key()).collect();
    assert_eq!(keys, groups.keys().copied().collect::<Vec<_>>(), "{n} rows");
    let longs = |i: usize| items::<i64>(&out[i]);
    let floats = |i: usize| items::<f64>(&out[i]);
    let (sum, count, high, first, total) = (longs(1), longs(2), longs(5), longs(6), longs(11));
    let (avg, low, last, var, wavg, cor) =
        (floats(3), floats(4), floats(7), floats(8), floats(9), floats(10));
    for (g, want) in groups.values().enumerate() {
        let some: Vec<f64> = want.y.iter().copied().filter(|y| !y.is_nan()).collect();
        let mean = some.iter().sum::<f64>() / some.len() as f64;
        assert_eq!(sum[g], want.x.iter().sum::<i64>());
        assert_eq!((count[g], total[g]), (want.x.len() as i64, sum[g] + count[g]));
        assert_eq!(bits(&[avg[g]]), bits(&[mean]));
        assert_eq!(low[g], some.iter().copied().fold(f64::INFINITY, f64::min));
        assert_eq!((high[g], first[g]), (*want.x.iter().max().unwrap(), want.x[0]));
        assert_eq!(bits(&[last[g]]), bits(&want.y[want.y.len() - 1..]));
        let squares = |v: &[f64]| {
            let mean = v.iter().sum::<f64>() / v.len() as f64;
            v.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>()
        };
        assert!(near(var[g], squares(&some) / some.len() as f64), "{} {:?}", var[g], some);
        let (a, b): (Vec<f64>, Vec<f64>) =
            want.x.iter().zip(&want.y).filter(|p| !p.1.is_nan()).map(|p| (*p.0 as f64, *p.1)).unzip();
        let product: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
        assert!(near(wavg[g], product / a.iter().sum::<f64>()));
        let (ma, mb) = (a.iter().sum::<f64>() / a.len() as f64, b.iter().sum::<f64>() / b.len() as f64);
        let cross: f64 = a.iter().zip(&b).map(|(a, b)| (a - ma) * (b - mb)).sum();
        let scale = (squares(&a) * squares(&b)).sqrt();
        assert!(scale == 0.0 || near(cor[g], cross / scale), "{} {}", cor[g], cross / scale);
    }
    let spread = longs(12);
    let want = |i: usize| if x[i] > least { groups[&k[i].key()].x.len() as i64 } else { i64::MIN };
    assert!((0..n).all(|i| spread[i] == want(i)), "the counts at the rows");
}

#[test]
fn few_groups_of_every_size() {
    for n in SIZES {
        let mut random = Random(n as u64 + 1);
        let k: Vec<i64> = (0..n)
            .map(|_| if random.below(9) == 0 { i64::MIN } else { random.below(20) as i64 - 10 })
            .collect();
        // The null is far from the rest, so these hash; without it they are direct.
        check(Kind::Long, &k, i64::MIN);
        let k: Vec<i64> = k.iter().map(|k| k.max(&-3) + 5).collect();
        for least in [i64::MIN, 0, 990, 2000] {
            check(Kind::Timestamp, &k, least);
        }
    }
}

#[test]
fn one_group_and_a_group_a_row() {
    check(Kind::Int, &vec![7i32; 70_000], -500);
    check(Kind::Int, &(0..70_000).rev().collect::<Vec<i32>>(), -500);
    check(Kind::Byte, &(0..70_000).map(|i| (i * 31 % 256) as u8).collect::<Vec<u8>>(), -500);
}

#[test]
fn first_and_last_rows_and_counts_alone() {
    // select f:first x,l:last y by k from t where x>p, and select n:count i by k from t where x>p
    let head = "c0 = k: int\nc1 = x: long\nc2 = y: float\np0 = literal 0: long\nd1 = rows
        n0: int[d1] = col c0\nn1: long[d1] = col c1\nn2: float[d1] = col c2\nn3: long = param p0
        n4: boolean[d1] = gt n1, n3\nd2 = kept d1, n4
        n5: int[d2] = keep n0\nn6: long[d2] = keep n1\nn7: float[d2] = keep n2\nd3 = groups d2, n5
        n8: int[d3] = key 0\n";
    let edges =
        format!("{head}n9: long[d3] = first n6\nn10: float[d3] = last n7\nout table k = n8, f = n9, l = n10");
    let count = format!("{head}n9: long[d3] = count n6\nout table k = n8, n = n9");
    let n = 70_000;
    let mut random = Random(17);
    let (x, y) = (random.longs(n), random.floats(n));
    let even: Vec<i32> = (0..n).map(|_| random.below(20) as i32).collect();
    // One key has rows in the middle alone, one at one end alone, and one has none.
    let mut middle = even.clone();
    middle.iter_mut().filter(|k| **k == 3).for_each(|k| *k = 4);
    (middle[n / 2], middle[5]) = (3, 30);
    for k in [even, middle] {
        for least in [i64::MIN, 0, 990, 2000] {
            let inputs =
                [column(Kind::Int, k.clone()), column(Kind::Long, x.clone()), column(Kind::Float, y.clone())];
            let mut want: BTreeMap<i32, Vec<usize>> = BTreeMap::new();
            (0..n).filter(|&i| x[i] > least).for_each(|i| want.entry(k[i]).or_default().push(i));
            let keys: Vec<i32> = want.keys().copied().collect();
            let out = run(&edges, &inputs, &[atom(Kind::Long, least)], n);
            assert_eq!(items::<i32>(&out[0]), keys);
            assert_eq!(items::<i64>(&out[1]), want.values().map(|rows| x[rows[0]]).collect::<Vec<_>>());
            let last: Vec<f64> = want.values().map(|rows| y[rows[rows.len() - 1]]).collect();
            assert_eq!(bits(&items::<f64>(&out[2])), bits(&last));
            let out = run(&count, &inputs, &[atom(Kind::Long, least)], n);
            assert_eq!(items::<i32>(&out[0]), keys);
            assert_eq!(
                items::<i64>(&out[1]),
                want.values().map(|rows| rows.len() as i64).collect::<Vec<_>>()
            );
        }
    }
}

#[test]
fn a_million_groups() {
    // Every key once, in no order, and some of them again.
    let mut random = Random(5);
    let text = "c0 = k: long\nc1 = x: long\nd1 = rows\nn0: long[d1] = col c0\nn1: long[d1] = col c1\nd2 = groups d1, n0
        n2: long[d2] = key 0\nn3: long[d2] = sum n1\nn4: long[d1] = spread n3\nout table k = n2, s = n3, r = n4";
    let again = (0..100_000).map(|_| random.below(1_000_000) as i64);
    let dense: Vec<i64> = (0..1_000_000i64).map(|i| i * 700_001 % 1_000_000).chain(again).collect();
    let n = dense.len();
    let x: Vec<i64> = (0..n as i64).collect();
    let mut sums = vec![0; 1_000_000];
    (0..n).for_each(|i| sums[dense[i] as usize] += x[i]);
    // Spread out, the same keys are too sparse for a slot each.
    for spread in [1, 1_000_003] {
        let k: Vec<i64> = dense.iter().map(|k| k * spread).collect();
        let out = run(text, &[column(Kind::Long, k), column(Kind::Long, x.clone())], &[], n);
        assert!(items::<i64>(&out[0]).iter().zip(0..).all(|(&k, i): (_, i64)| k == i * spread));
        assert_eq!(items::<i64>(&out[1]), sums);
        assert!(items::<i64>(&out[2]).iter().zip(&dense).all(|(&r, &k)| r == sums[k as usize]));
    }
}

#[test]
fn sparse_keys_of_few_rows_each() {
    let mut random = Random(21);
    let k: Vec<i64> = (0..150_000).map(|_| (random.below(30_000) as i64 - 9) * 1_000_000_007).collect();
    check(Kind::Long, &k, i64::MIN);
    check(Kind::Long, &k, 500);
    // Half of the rows have one key, or the numbers lie in two heaps.
    check(Kind::Long, &k.iter().map(|&k| if k % 2 == 0 { 0 } else { k }).collect::<Vec<_>>(), i64::MIN);
    let heaps = k.iter().zip(0..).map(|(k, i)| if i % 2 == 0 { i } else { i64::MAX - (k % 4096).abs() });
    check(Kind::Long, &heaps.collect::<Vec<i64>>(), i64::MIN);
}

#[test]
fn bars_of_time_take_a_slot_each() {
    // select n:count i by b:w xbar t from t
    let text =
        "c0 = t: timespan\np0 = literal 0: long\nd1 = rows\nn0: timespan[d1] = col c0\nn1: long = param p0
        n2: timespan[d1] = xbar n1, n0\nd2 = groups d1, n2\nn3: timespan[d2] = key 0\nn4: long[d2] = count n0
        out table b = n3, n = n4";
    let mut random = Random(11);
    for (width, with_null, low) in [
        (60_000_000_000i64, false, -1e13 as i64),
        (7, true, -50),
        (1, false, 0),
        (1 << 40, false, -i64::MAX),
        (-5, false, 0),
        (0, true, 0),
    ] {
        let mut t: Vec<i64> =
            (0..70_000).map(|_| low + random.below(20_000_000_000_000) as i64 / 3).collect();
        if with_null {
            t[5] = i64::MIN;
        }
        let out = run(text, &[column(Kind::Timespan, t.clone())], &[atom(Kind::Long, width)], t.len());
        let mut want = BTreeMap::new();
        t.iter().for_each(|&t| *want.entry(q::scalar::Num::xbar(width, t)).or_insert(0i64) += 1);
        assert_eq!(items::<i64>(&out[0]), want.keys().copied().collect::<Vec<_>>(), "{width}");
        assert_eq!(items::<i64>(&out[1]), want.values().copied().collect::<Vec<_>>());
    }
}

#[test]
fn floats_group_by_value_with_one_null_and_one_zero() {
    let mut random = Random(9);
    let pool = [0.0, -0.0, f64::NAN, -f64::NAN, 1.5, -1.5, f64::INFINITY, f64::NEG_INFINITY, 5e-324];
    check(Kind::Float, &(0..50_000).map(|_| pool[random.below(9) as usize]).collect::<Vec<f64>>(), -900);
    let pool = [0.0f32, -0.0, f32::NAN, 2.5, -2.5, f32::INFINITY, f32::NEG_INFINITY];
    check(Kind::Real, &(0..50_000).map(|_| pool[random.below(7) as usize]).collect::<Vec<f32>>(), -900);
}

#[test]
fn several_keys_of_any_width_come_out_sorted() {
    // select n:count i by s, f, g, h from t: a symbol by rank, a float and a guid that fill numbers of their own.
    let text = "c0 = s: symbol<s0>/1\nc1 = f: float\nc2 = g: guid\nc3 = h: short\nd1 = rows
        n0: symbol<s0>[d1] = col c0\nn1: float[d1] = col c1\nn2: guid[d1] = col c2\nn3: short[d1] = col c3
        d2 = groups d1, n0, n1, n2, n3
        n4: symbol<s0>[d2] = key 0\nn5: float[d2] = key 1\nn6: guid[d2] = key 2\nn7: short[d2] = key 3
        n8: long[d2] = count n0
        out table s = n4, f = n5, g = n6, h = n7, n = n8";
    let syms = ["", "c", "a", "b"].map(q::Sym::new).to_vec();
    let domain = Arc::new(Domain::new(syms, None));
    let n = 100_000;
    let mut random = Random(3);
    let codes: Vec<u8> = (0..n).map(|_| random.below(4) as u8).collect();
    let f: Vec<f64> = (0..n).map(|_| random.below(30) as f64 - 15.0).collect();
    let g: Vec<q::value::Guid> = (0..n).map(|_| q::value::Guid([random.below(3) as u8; 16])).collect();
    let h: Vec<i16> = (0..n).map(|_| if random.below(2) == 0 { i16::MIN } else { 7 }).collect();
    let inputs = [
        Column::new(Kind::Sym, Elements::Codes8(buf(&codes)), Some(domain.clone())),
        column(Kind::Float, f.clone()),
        column(Kind::Guid, g.clone()),
        column(Kind::Short, h.clone()),
    ];
    let out = run(text, &inputs, &[], n);
    let mut want = BTreeMap::new();
    for i in 0..n {
        let rank = domain.ranks[codes[i] as usize];
        *want.entry((rank, f[i].key(), g[i], h[i])).or_insert(0i64) += 1;
    }
    let got: Vec<_> = items::<u8>(&out[0]).iter().map(|&c| domain.ranks[c as usize]).collect();
    assert_eq!(got, want.keys().map(|k| k.0).collect::<Vec<_>>());
    assert_eq!(
        items::<f64>(&out[1]).iter().map(|f| f.key()).collect::<Vec<_>>(),
        want.keys().map(|k| k.1).collect::<Vec<_>>()
    );
    assert_eq!(items::<q::value::Guid>(&out[2]), want.keys().map(|k| k.2).collect::<Vec<_>>());
    assert_eq!(items::<i16>(&out[3]), want.keys().map(|k| k.3).collect::<Vec<_>>());
    assert_eq!(items::<i64>(&out[4]), want.values().copied().collect::<Vec<_>>());
}

#[test]
fn thread_counts_change_no_bit() {
    let text = "c0 = k: int\nc1 = y: float\nd1 = rows\nn0: int[d1] = col c0\nn1: float[d1] = col c1\nd2 = groups d1, n0
        n2: float[d2] = sum n1\nn3: float[d2] = dev n1\nout table a = n2, b = n3";
    for groups in [3, 5000, 100_000, 1 << 30] {
        let mut random = Random(groups);
        let k: Vec<i32> = (0..300_000).map(|_| random.below(groups) as i32).collect();
        let y: Vec<f64> = (0..300_000).map(|_| random.below(1 << 50) as f64 / 1e9).collect();
        let inputs = [column(Kind::Int, k), column(Kind::Float, y)];
        let of = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            let out = pool.install(|| run(text, &inputs, &[], 300_000));
            (bits(&items(&out[0])), bits(&items(&out[1])))
        };
        let one = of(1);
        assert_eq!(one, of(2));
        assert_eq!(one, of(7));
    }
}
