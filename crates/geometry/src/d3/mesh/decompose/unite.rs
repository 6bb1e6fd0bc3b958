//! Uniting parts that were cut apart in vain.

use super::cut::{Corners, six_volumes};
use super::{NOTHING, Part, first_point, rough_hull_volume, triangles_of_hull};
use carom_math::{Number, Vec3};

/// Two parts that would do as one.
struct Union {
    /// Their ids. A united part has a new one, so that what was said about the old ones is not mistaken for it.
    ids: [usize; 2],
    excess: f64,
    hull: Vec<Corners>,
    hull_volume: f64,
}

/// Unites parts whose boxes touch as long as the common hull is within what is tolerated, the least excess first.
pub(super) fn united(mut parts: Vec<Part>, tolerated: f64) -> Vec<Part> {
    let mut ids: Vec<usize> = (0..parts.len()).collect();
    let mut next_id = parts.len();
    let mut unions: Vec<Union> = Vec::new();
    for second in 0..parts.len() {
        for first in 0..second {
            unions.extend(union(&parts[first], &parts[second], [first, second], tolerated));
        }
    }
    // Every round takes a part away.
    loop {
        let order = |a: &&Union, b: &&Union| a.excess.total_cmp(&b.excess).then(a.ids.cmp(&b.ids));
        let Some(best) = unions.iter().min_by(order) else { return parts };
        let (pair, hull, hull_volume) = (best.ids, best.hull.clone(), best.hull_volume);
        unions.retain(|union| !union.ids.iter().any(|id| pair.contains(id)));
        let at = pair.map(|id| ids.iter().position(|&other| other == id).unwrap_or(0));
        let (kept, gone) = (at[0].min(at[1]), at[0].max(at[1]));
        let other = parts.remove(gone).volume;
        ids.remove(gone);
        ids[kept] = next_id;
        next_id += 1;
        let part = &mut parts[kept];
        part.volume += other;
        (part.hull, part.hull_volume) = (hull, hull_volume);
        for index in (0..parts.len()).filter(|&index| index != kept) {
            unions.extend(union(&parts[index], &parts[kept], [ids[index], ids[kept]], tolerated));
        }
    }
}

/// `None` when the parts are apart or their common hull is too large.
fn union(a: &Part, b: &Part, ids: [usize; 2], tolerated: f64) -> Option<Union> {
    if !a.bounds().overlaps(b.bounds()) {
        return None;
    }
    let points: Vec<Vec3<f64>> = a.hull.iter().chain(&b.hull).flatten().copied().collect();
    let is_good = |volume: f64| volume - a.volume - b.volume <= tolerated.max_of(NOTHING * volume);
    if !is_good(rough_hull_volume(&points)) {
        return None;
    }
    let hull = triangles_of_hull(&points);
    let hull_volume = six_volumes(hull.iter().copied(), first_point(&hull, &[])) / 6.0;
    let excess = hull_volume - a.volume - b.volume;
    is_good(hull_volume).then_some(Union { ids, excess, hull, hull_volume })
}
