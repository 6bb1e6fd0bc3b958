//! Pairs that are placed to hurt: touching in any direction, concentric, nested, nearly parallel, of very
//! different sizes, far from the origin, one step from any of these.

use super::world::{Case, FAR, Space, all_kinds, soak};
use carom_oracle::generate::{self, Rng, power_of_two};

/// Every unordered pair of kinds of a dimension.
pub(crate) fn kind_pairs<const D: usize>() -> Vec<[&'static str; 2]> {
    let kinds = all_kinds::<D>();
    (0..kinds.len()).flat_map(|a| (a..kinds.len()).map(move |b| [kinds[a], kinds[b]])).collect()
}

/// Runs a check on pairs of all kinds: ordinary ones and such that are placed to hurt.
pub(crate) fn for_all<const D: usize, S: Space<D>>(
    seed: u64,
    rounds: usize,
    mut check: impl FnMut(&mut Rng, Case<D>),
) {
    let mut rng = Rng::new(seed);
    for kinds in kind_pairs::<D>() {
        for round in 0..rounds * soak() {
            let case = match round % 3 {
                0 => Case::random::<S>(&mut rng, kinds, false),
                _ => adversarial::<D, S>(&mut rng, kinds),
            };
            check(&mut rng, case);
        }
    }
}

/// A pair that is placed to hurt.
pub(crate) fn adversarial<const D: usize, S: Space<D>>(rng: &mut Rng, kinds: [&'static str; 2]) -> Case<D> {
    let is_lattice = rng.one_in(2);
    let mut case = Case::random::<S>(rng, kinds, is_lattice);
    match rng.below(8) {
        0 => case.pb.translation = case.pa.translation,
        1 => {
            // Nested: the same place and turn, smaller.
            case.pb = case.pa.clone();
            case.b = case.b.scaled(rng.pick(&[0.5, 0.25, 1e-3, 1e-6]));
        }
        2 => {
            // Nearly parallel; quaternions and cosines are normalised when they are used.
            case.pb.rotation = case.pa.rotation;
            let count = if D == 2 { 2 } else { 4 };
            case.pb.rotation[rng.below(count)] += power_of_two(-rng.between(1, 60)) * rng.sign();
        }
        3 => touch::<D, S>(rng, &mut case),
        4 => {
            case.b = case.b.scaled(rng.pick(&[1e6, 1e-6, 1e3]));
            touch::<D, S>(rng, &mut case);
        }
        5 => {
            case.pb.rotation = case.pa.rotation;
            touch::<D, S>(rng, &mut case);
        }
        6 => {
            for place in [&mut case.pa, &mut case.pb] {
                let mut same = rng.clone();
                place.translation = place.translation.map(|x| x + generate::offset(&mut same));
            }
            rng.next_u32();
        }
        _ => {}
    }
    if rng.one_in(4) {
        let axis = rng.below(D);
        case.pb.translation[axis] = generate::nudge(case.pb.translation[axis], rng.between(-2, 2));
    }
    case
}

/// Moves the second shape until they touch, up to rounding, or are a step from it.
fn touch<const D: usize, S: Space<D>>(rng: &mut Rng, case: &mut Case<D>) {
    let Ok(Some(near)) = S::contact(&case.a, &case.pa, &case.b, &case.pb, FAR) else { return };
    let n: [f64; D] = near.normal.into();
    let by = near.depth + case.size() * rng.pick(&[0.0, 0.0, 1.0, -1.0]) * power_of_two(-rng.between(20, 56));
    *case = case.moved(n.map(|x| x * by));
}
