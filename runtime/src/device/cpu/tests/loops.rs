//! Map, Reduce and Compact.

use super::*;
use q::scalar::Item;

#[test]
fn maps_of_every_size() {
    // update r:x-y*2, k:i, w:x from t
    let text = "c0 = x: long\nc1 = y: float\np0 = literal 0: float\nd1 = rows
        n0: long[d1] = col c0\nn1: float[d1] = col c1\nn2: float = param p0
        n3: float[d1] = cast n0\nn4: float[d1] = mul n1, n2\nn5: float[d1] = sub n3, n4\nn6: long[d1] = row
        n7: boolean[d1] = lt n0, n6\nn8: long[d1] = cond n7, n6, n0
        out table r = n5, k = n6, w = n8";
    for n in SIZES {
        let mut random = Random(n as u64);
        let (x, y) = (random.longs(n), random.floats(n));
        let inputs = [column(Kind::Long, x.clone()), column(Kind::Float, y.clone())];
        let out = run(text, &inputs, &[atom(Kind::Float, 2.0)], n);
        let float = |x: i64| if x == i64::MIN { f64::NAN } else { x as f64 };
        let want: Vec<f64> = x.iter().zip(&y).map(|(&x, &y)| float(x) - y * 2.0).collect();
        assert_eq!(bits(&items(&out[0])), bits(&want), "{n}");
        assert_eq!(items::<i64>(&out[1]), (0..n as i64).collect::<Vec<_>>());
        let want: Vec<i64> = x.iter().zip(0..).map(|(&x, i)| if x < i { i } else { x }).collect();
        assert_eq!(items::<i64>(&out[2]), want);
    }
}

#[test]
fn reductions_of_every_size() {
    // select sum x, avg y, min y, max x, first x, last y, n:count i, var y, all x<>0 from t where x>p
    let text = "c0 = x: long\nc1 = y: float\np0 = literal 0: long\np1 = literal 1: long\nd1 = rows
        n0: long[d1] = col c0\nn1: float[d1] = col c1\nn2: long = param p0\nn3: boolean[d1] = gt n0, n2
        d2 = kept d1, n3
        n4: long[d2] = keep n0\nn5: float[d2] = keep n1
        n6: long = sum n4\nn7: float = avg n5\nn8: float = min n5\nn9: long = max n4\nn10: long = first n4
        n11: float = last n5\nn12: long = count n4\nn13: float = var n5\nn14: long = param p1
        n15: boolean[d2] = ne n4, n14\nn16: boolean = all n15\nn17: boolean = any n15\nn18: float = wavg n5, n5
        n19: long = sub n9, n6
        out table a = n6, b = n7, c = n8, d = n9, e = n10, f = n11, g = n12, h = n13, i = n16, j = n17, k = n18, l = n19";
    for n in SIZES {
        for least in [-2000i64, 0, 990, 2000] {
            let mut random = Random(n as u64);
            let (x, y) = (random.longs(n), random.floats(n));
            let inputs = [column(Kind::Long, x.clone()), column(Kind::Float, y.clone())];
            let out = run(text, &inputs, &[atom(Kind::Long, least), atom(Kind::Long, 5i64)], n);
            let kept: Vec<usize> = (0..n).filter(|&i| x[i] > least).collect();
            let (x, y): (Vec<i64>, Vec<f64>) = kept.iter().map(|&i| (x[i], y[i])).unzip();
            let some: Vec<f64> = y.iter().copied().filter(|y| !y.is_nan()).collect();
            let count = some.len() as f64;
            let mean = some.iter().sum::<f64>() / count;
            assert_eq!(only::<i64>(&out[0]), x.iter().sum::<i64>(), "{n} {least}");
            assert_eq!(bits(&[only(&out[1])]), bits(&[mean]));
            assert_eq!(only::<f64>(&out[2]), some.iter().copied().fold(f64::INFINITY, f64::min));
            assert_eq!(only::<i64>(&out[3]), x.iter().copied().max().unwrap_or(-i64::MAX));
            assert_eq!(only::<i64>(&out[4]), x.first().copied().unwrap_or(i64::MIN));
            assert_eq!(bits(&[only(&out[5])]), bits(&[y.last().copied().unwrap_or(f64::NAN)]));
            assert_eq!(only::<i64>(&out[6]), x.len() as i64);
            let var = some.iter().map(|y| (y - mean) * (y - mean)).sum::<f64>() / count;
            let got = only::<f64>(&out[7]);
            assert!((got - var).abs() <= 1e-12 * var || got.is_nan() & var.is_nan(), "{got} {var}");
            assert_eq!(only::<u8>(&out[8]), x.iter().all(|&x| x != 5) as u8);
            assert_eq!(only::<u8>(&out[9]), x.iter().any(|&x| x != 5) as u8);
            let (top, bottom) = (some.iter().map(|y| y * y).sum::<f64>(), some.iter().sum::<f64>());
            assert_eq!(bits(&[only(&out[10])]), bits(&[top / bottom]));
            let top = x.iter().copied().max().unwrap_or(-i64::MAX);
            assert_eq!(only::<i64>(&out[11]), top.wrapping_sub(x.iter().sum::<i64>()));
        }
    }
}

/// The documented order: chunks of 65,536 rows, eight lanes in a chunk.
fn sum_order(n: usize, at: impl Fn(usize) -> f64) -> f64 {
    (0..n).step_by(65_536).fold(0.0, |whole, start| {
        let mut lanes = [0.0; 8];
        (start..n.min(start + 65_536)).for_each(|i| lanes[(i - start) % 8] += at(i));
        whole + lanes[1..].iter().fold(lanes[0], |x, y| x + y)
    })
}

/// The sum of squared deviations: of each chunk from its own mean, and then of the chunks' means, in order.
fn squares(x: &[f64]) -> f64 {
    let (mut whole, mut count, mut total) = (0.0, 0.0, 0.0);
    for chunk in x.chunks(65_536) {
        let (n, sum) = (chunk.len() as f64, sum_order(chunk.len(), |i| chunk[i]));
        let mean = sum / n;
        whole += sum_order(chunk.len(), |i| (chunk[i] - mean) * (chunk[i] - mean));
        if count > 0.0 {
            let apart: f64 = mean - total / count;
            whole += apart * apart * ((count * n) / (count + n));
        }
        (count, total) = (count + n, total + sum);
    }
    whole
}

#[test]
fn float_sums_keep_the_sum_order() {
    let text = "c0 = x: float\nd1 = rows\nn0: float[d1] = col c0\nn1: float = sum n0\nn2: float = prd n0\nn3: float = sdev n0
        out single s = n1, p = n2, v = n3";
    for n in SIZES {
        let mut random = Random(n as u64);
        let x: Vec<f64> = (0..n).map(|_| 1.0 + random.below(1 << 40) as f64 / 1e17).collect();
        let want = sum_order(n, |i| x[i]);
        let squares = squares(&x);
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            let out = pool.install(|| run(text, &[column(Kind::Float, x.clone())], &[], n));
            assert_eq!(only::<f64>(&out[0]).to_bits(), want.to_bits(), "{n}");
            let sdev = if n == 0 { f64::NAN } else { (squares / (n as f64 - 1.0)).sqrt() };
            assert_eq!(bits(&[only(&out[2])]), bits(&[sdev]));
        }
    }
}

#[test]
fn every_storage_reduces() {
    fn of<T: Item>(kind: Kind, x: &[T]) -> Vec<Output> {
        let letter = kind.name();
        let text = format!(
            "c0 = x: {letter}\nd1 = rows\nn0: {letter}[d1] = col c0\nn1: {letter} = min n0\nn2: {letter} = max n0
            n3: {letter} = first n0\nn4: {letter} = last n0\nn5: boolean = all n0\nn6: boolean = any n0
            out dict a = n1, b = n2, c = n3, d = n4, e = n5, f = n6"
        );
        run(&text, &[column(kind, x.to_vec())], &[], x.len())
    }
    let out = of(Kind::Short, &[3i16, i16::MIN, -7, 0]);
    assert_eq!((only::<i16>(&out[0]), only::<i16>(&out[1])), (-7, 3));
    assert_eq!((only::<u8>(&out[4]), only::<u8>(&out[5])), (0, 1));
    let out = of::<i16>(Kind::Short, &[]);
    assert_eq!(
        (only::<i16>(&out[0]), only::<i16>(&out[1]), only::<i16>(&out[2])),
        (i16::MAX, -i16::MAX, i16::MIN)
    );
    let out = of(Kind::Char, b"hello world");
    assert_eq!(
        (only::<u8>(&out[0]), only::<u8>(&out[1]), only::<u8>(&out[2]), only::<u8>(&out[3])),
        (b' ', b'w', b'h', b'd')
    );
    let out = of::<u8>(Kind::Bool, &[]);
    assert_eq!(
        (only::<u8>(&out[0]), only::<u8>(&out[1]), only::<u8>(&out[4]), only::<u8>(&out[5])),
        (1, 0, 1, 0)
    );
    let out = of(Kind::Date, &[i32::MIN, i32::MIN]);
    assert_eq!(
        (only::<i32>(&out[0]), only::<i32>(&out[1]), only::<i32>(&out[3])),
        (i32::MAX, -i32::MAX, i32::MIN)
    );
    let out = of(Kind::Real, &[f32::NAN, -0.0, 2.5, f32::INFINITY]);
    assert_eq!((only::<f32>(&out[0]).to_bits(), only::<f32>(&out[1])), (0, f32::INFINITY));
    let out = of(Kind::Timestamp, &[5i64, -5, i64::MIN]);
    assert_eq!((only::<i64>(&out[0]), only::<i64>(&out[1]), only::<i64>(&out[3])), (-5, 5, i64::MIN));
}

#[test]
fn filters_of_every_size() {
    // select x, y, z:x*x, k:i from t where x>p, y<q
    let text =
        "c0 = x: long\nc1 = y: float\nc2 = b: byte\np0 = literal 0: long\np1 = literal 1: float\nd1 = rows
        n0: long[d1] = col c0\nn1: float[d1] = col c1\nn2: byte[d1] = col c2
        n3: long = param p0\nn4: boolean[d1] = gt n0, n3\nd2 = kept d1, n4
        n5: float[d2] = keep n1\nn6: float = param p1\nn7: boolean[d2] = lt n5, n6\nd3 = kept d2, n7
        n8: float[d3] = keep n5\nn9: long[d2] = keep n0\nn10: long[d3] = keep n9\nn11: long[d3] = mul n10, n10
        n12: long[d1] = row\nn13: long[d2] = keep n12\nn14: long[d3] = keep n13
        n15: byte[d2] = keep n2\nn16: byte[d3] = keep n15
        out table x = n10, y = n8, z = n11, k = n14, b = n16";
    for n in SIZES {
        for least in [-2000i64, 0, 990, 2000] {
            let mut random = Random(n as u64);
            let (x, y) = (random.longs(n), random.floats(n));
            let b: Vec<u8> = (0..n).map(|_| random.below(256) as u8).collect();
            let inputs = [
                column(Kind::Long, x.clone()),
                column(Kind::Float, y.clone()),
                column(Kind::Byte, b.clone()),
            ];
            let out = run(text, &inputs, &[atom(Kind::Long, least), atom(Kind::Float, 200.0)], n);
            let rows: Vec<usize> =
                (0..n).filter(|&i| x[i] > least && (y[i] < 200.0 || y[i].is_nan())).collect();
            assert_eq!(items::<i64>(&out[0]), rows.iter().map(|&i| x[i]).collect::<Vec<_>>(), "{n} {least}");
            assert_eq!(bits(&items(&out[1])), bits(&rows.iter().map(|&i| y[i]).collect::<Vec<_>>()));
            assert_eq!(items::<i64>(&out[2]), rows.iter().map(|&i| x[i] * x[i]).collect::<Vec<_>>());
            assert_eq!(items::<i64>(&out[3]), rows.iter().map(|&i| i as i64).collect::<Vec<_>>());
            assert_eq!(items::<u8>(&out[4]), rows.iter().map(|&i| b[i]).collect::<Vec<_>>());
        }
    }
}

#[test]
fn updates_place_where_every_mask_holds() {
    // update x:x+1 from t where x>0, x<500
    let text = "c0 = x: long\np0 = literal 0: long\np1 = literal 1: long\np2 = literal 2: long\nd1 = rows
        n0: long[d1] = col c0\nn1: long = param p0\nn2: boolean[d1] = gt n0, n1\nd2 = kept d1, n2
        n3: long[d2] = keep n0\nn4: long = param p1\nn5: boolean[d2] = lt n3, n4\nd3 = kept d2, n5
        n6: long[d3] = keep n3\nn7: long = param p2\nn8: long[d3] = add n6, n7\nn9: long[d2] = place n8, n3
        n10: long[d1] = place n9, n0
        out table x = n10";
    for n in SIZES {
        let x = Random(n as u64).longs(n);
        let args = [atom(Kind::Long, 0i64), atom(Kind::Long, 500i64), atom(Kind::Long, 1i64)];
        let out = run(text, &[column(Kind::Long, x.clone())], &args, n);
        let want: Vec<i64> = x.iter().map(|&x| if x > 0 && x < 500 { x + 1 } else { x }).collect();
        assert_eq!(items::<i64>(&out[0]), want);
    }
}

#[test]
fn membership_and_ranks_look_codes_up() {
    // select k:rank sym, s:sym in `b`c, v:x in 1 2 3, e:sym=`b from t
    let text = "c0 = s: symbol<s0>/1\nc1 = x: long\np0 = ranks s0: int\np1 = set p0, s0: symbol\np2 = set p0: long
        p3 = literal 0: symbol\nd1 = rows\nd2 = given p0\nd3 = given p1\nd4 = given p2
        n0: symbol<s0>[d1] = col c0\nn1: long[d1] = col c1\nn2: int[d2] = param p0\nn3: symbol<s0>[d3] = param p1
        n4: long[d4] = param p2\nn5: symbol<s0> = param p3
        n6: int[d1] = lookup n0, n2\nn7: boolean[d1] = member n0, n3\nn8: boolean[d1] = member n1, n4\nn9: boolean[d1] = eq n0, n5
        out table a = n6, b = n7, c = n8, d = n9";
    let syms = ["", "c", "a", "b"].map(q::Sym::new).to_vec();
    let domain = Arc::new(Domain::new(syms, None));
    let codes: Vec<u8> = (0..300).map(|i| (i % 4) as u8).collect();
    let x: Vec<i64> = (0..300).map(|i| i % 7).collect();
    let symbols = Column::new(Kind::Sym, Elements::Codes8(buf(&codes)), Some(domain.clone()));
    let args = [
        Arg::List(Data::I(domain.ranks.clone())),
        Arg::Bits(buf(&[0u8, 1, 0, 1])),
        Arg::Keys(buf(&[1i64, 2, 3].map(q::scalar::Key::key))),
        Arg::Atom(Atom::new(Kind::Int, 3i32)),
    ];
    let out = run(text, &[symbols, column(Kind::Long, x.clone())], &args, 300);
    let rank = [0, 3, 1, 2];
    assert_eq!(items::<i32>(&out[0]), codes.iter().map(|&c| rank[c as usize]).collect::<Vec<_>>());
    assert_eq!(items::<u8>(&out[1]), codes.iter().map(|&c| (c == 1 || c == 3) as u8).collect::<Vec<_>>());
    assert_eq!(items::<u8>(&out[2]), x.iter().map(|&x| (1..=3).contains(&x) as u8).collect::<Vec<_>>());
    assert_eq!(items::<u8>(&out[3]), codes.iter().map(|&c| (c == 3) as u8).collect::<Vec<_>>());
}
