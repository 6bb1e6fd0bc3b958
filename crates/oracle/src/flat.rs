//! How flat things relate: points, lines, rays and segments in the plane and in space; planes,
//! triangles and parallelograms in space.
//!
//! Every flat thing is {o + Σ sᵢuᵢ} with linear conditions on the parameters s. The common points
//! of two of them are the solutions of linear equations and inequalities in at most four
//! parameters; the range of each coordinate over the solutions follows by elimination (Gauss for
//! equations, Fourier and Motzkin for inequalities), and tells whether there is none, one or more.
//! Degenerate input (a segment of length zero, a triangle in one line) counts as the points that it
//! consists of.

use crate::polytope::Convex;
use crate::rational::{ExactPoint, Rational, V};

/// A flat thing with exact coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flat<const D: usize> {
    origin: V<D>,
    directions: Vec<V<D>>,
    conditions: Conditions,
}

/// Which parameters belong to a [`Flat`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Conditions {
    /// All.
    Free,
    /// s >= 0.
    NonNegative,
    /// s >= 0 and Σ s <= 1.
    Simplex,
    /// 0 <= s <= 1 each.
    Box,
}

/// How two flat things relate. The first that applies, from above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// More than one common point. So two planes at an angle are coincident: they share a line.
    Coincident,
    /// Exactly one common point, an end or a corner included.
    Crossing,
    /// No common point and no angle: the directions of one are among the directions of the other.
    /// Never with a point.
    Parallel,
    /// No common point, and not parallel.
    Apart,
}

impl<const D: usize> Flat<D> {
    /// A point.
    pub fn point(point: &impl ExactPoint<D>) -> Self {
        Self::new(point, Vec::new(), Conditions::Free)
    }

    /// The line through a point along a direction; the point alone if the direction is zero.
    pub fn line(point: &impl ExactPoint<D>, direction: &impl ExactPoint<D>) -> Self {
        Self::new(point, vec![direction.to_exact()], Conditions::Free)
    }

    /// The ray from a point along a direction.
    pub fn ray(point: &impl ExactPoint<D>, direction: &impl ExactPoint<D>) -> Self {
        Self::new(point, vec![direction.to_exact()], Conditions::NonNegative)
    }

    /// The segment between two points.
    pub fn segment(a: &impl ExactPoint<D>, b: &impl ExactPoint<D>) -> Self {
        let direction = &b.to_exact() - &a.to_exact();
        Self::new(a, vec![direction], Conditions::Simplex)
    }

    /// The triangle with three corners.
    pub fn triangle(corners: &[impl ExactPoint<D>; 3]) -> Self {
        let [a, b, c] = corners.each_ref().map(ExactPoint::to_exact);
        Self::new(&a, vec![&b - &a, &c - &a], Conditions::Simplex)
    }

    /// The parallelogram {corner + s·u + t·v, 0 <= s, t <= 1}.
    pub fn parallelogram(
        corner: &impl ExactPoint<D>,
        u: &impl ExactPoint<D>,
        v: &impl ExactPoint<D>,
    ) -> Self {
        Self::new(corner, vec![u.to_exact(), v.to_exact()], Conditions::Box)
    }

    fn new(origin: &impl ExactPoint<D>, directions: Vec<V<D>>, conditions: Conditions) -> Self {
        let origin = origin.to_exact();
        Flat { origin, directions, conditions }
    }

    /// The same set as points and unbounded directions.
    pub fn to_convex(&self) -> Convex<D> {
        let bounded = matches!(self.conditions, Conditions::Simplex | Conditions::Box);
        let mut points = vec![self.origin.clone()];
        if bounded {
            points.extend(self.directions.iter().map(|u| &self.origin + u));
        }
        if self.conditions == Conditions::Box {
            let far = self.directions.iter().fold(self.origin.clone(), |p, u| &p + u);
            points.push(far);
        }
        let mut convex = Convex::hull(&points);
        if !bounded {
            for u in &self.directions {
                convex = match self.conditions {
                    Conditions::Free => convex.extended_both_ways(u),
                    _ => convex.extended(u),
                };
            }
        }
        convex
    }

    /// Squared distance; zero if there is a common point.
    ///
    /// ```
    /// use carom_oracle::flat::Flat;
    /// use carom_oracle::rational::exact;
    /// let line = Flat::line(&[0.0, 1.0], &[1.0, 0.0]);
    /// assert_eq!(line.distance_squared(&Flat::point(&[7.0, 3.0])), exact(4.0));
    /// ```
    pub fn distance_squared(&self, other: &Self) -> Rational {
        self.to_convex().distance_squared(&other.to_convex())
    }

    /// Whether the directions of one are all among the directions of the other, without being all
    /// of space. Points have no direction and are parallel to nothing.
    pub fn is_parallel_to(&self, other: &Self) -> bool {
        let (mine, theirs) = (rank(&self.directions), rank(&other.directions));
        let together = rank(&[self.directions.clone(), other.directions.clone()].concat());
        let wider = mine.max(theirs);
        mine.min(theirs) > 0 && together == wider && wider < D
    }

    /// How the two relate. Symmetric.
    ///
    /// ```
    /// use carom_oracle::flat::{Flat, Relation};
    /// let a = Flat::segment(&[0.0, 0.0], &[2.0, 0.0]);
    /// assert_eq!(a.relation(&Flat::ray(&[1.0, 1.0], &[0.0, -1.0])), Relation::Crossing);
    /// assert_eq!(a.relation(&Flat::line(&[5.0, 0.0], &[-3.0, 0.0])), Relation::Coincident);
    /// assert_eq!(a.relation(&Flat::segment(&[3.0, 0.0], &[4.0, 0.0])), Relation::Parallel);
    /// assert_eq!(a.relation(&Flat::point(&[3.0, 0.0])), Relation::Apart);
    /// ```
    pub fn relation(&self, other: &Self) -> Relation {
        match self.common(other) {
            Common::Many => Relation::Coincident,
            Common::One(_) => Relation::Crossing,
            Common::None if self.is_parallel_to(other) => Relation::Parallel,
            Common::None => Relation::Apart,
        }
    }

    /// The only common point, if there is exactly one.
    pub fn crossing_point(&self, other: &Self) -> Option<V<D>> {
        match self.common(other) {
            Common::One(point) => Some(point),
            _ => None,
        }
    }

    fn common(&self, other: &Self) -> Common<D> {
        // Unknowns: the parameters of both, then one more that stands for a coordinate.
        let (n, m) = (self.directions.len(), other.directions.len());
        let unknowns = n + m + 1;
        let mut system = System::default();
        for axis in 0..D {
            let mine = self.directions.iter().map(|u| u.0[axis].clone());
            let theirs = other.directions.iter().map(|v| -&v.0[axis]);
            let mut terms: Vec<Rational> = mine.chain(theirs).collect();
            terms.push(Rational::ZERO);
            let constant = &self.origin.0[axis] - &other.origin.0[axis];
            system.equations.push(Form { terms, constant });
        }
        self.conditions.add_to(&mut system, 0..n, unknowns);
        other.conditions.add_to(&mut system, n..n + m, unknowns);
        let mut point = V::zero();
        for axis in 0..D {
            let mut with_coordinate = system.clone();
            let mut terms: Vec<Rational> = vec![Rational::ZERO; unknowns];
            for (term, u) in terms.iter_mut().zip(&self.directions) {
                *term = u.0[axis].clone();
            }
            terms[n + m] = -Rational::ONE;
            let constant = self.origin.0[axis].clone();
            with_coordinate.equations.push(Form { terms, constant });
            match with_coordinate.range_of_last() {
                Range::Empty => return Common::None,
                Range::Single(x) => point.0[axis] = x,
                Range::Wide => return Common::Many,
            }
        }
        Common::One(point)
    }
}

impl Flat<3> {
    /// The plane through a point orthogonal to a normal, which must not be zero.
    ///
    /// # Panics
    /// If the normal is zero.
    pub fn plane(point: &impl ExactPoint<3>, normal: &impl ExactPoint<3>) -> Self {
        let normal = normal.to_exact();
        assert!(!normal.is_zero(), "a plane needs a normal");
        // Two of the three products with the axes span the plane; the third depends on them.
        let axis = (0..3).find(|&i| !normal.0[i].is_zero()).unwrap_or(0);
        let directions = [(axis + 1) % 3, (axis + 2) % 3].map(|i| normal.cross(&V::axis(i))).to_vec();
        Self::new(point, directions, Conditions::Free)
    }
}

impl Conditions {
    fn add_to(self, system: &mut System, parameters: std::ops::Range<usize>, unknowns: usize) {
        let form = |constant: i32, terms: &[(usize, i32)]| {
            let mut all = vec![Rational::ZERO; unknowns];
            for &(i, factor) in terms {
                all[i] = Rational::from(factor);
            }
            Form { terms: all, constant: Rational::from(constant) }
        };
        if self == Conditions::Free {
            return;
        }
        let at_least_zero = &mut system.inequalities;
        at_least_zero.extend(parameters.clone().map(|i| form(0, &[(i, 1)])));
        match self {
            Conditions::Simplex => {
                let terms: Vec<_> = parameters.map(|i| (i, -1)).collect();
                at_least_zero.push(form(1, &terms));
            }
            Conditions::Box => at_least_zero.extend(parameters.map(|i| form(1, &[(i, -1)]))),
            Conditions::NonNegative | Conditions::Free => {}
        }
    }
}

enum Common<const D: usize> {
    None,
    One(V<D>),
    Many,
}

/// Σ termsᵢ·xᵢ + constant.
#[derive(Clone, Debug)]
struct Form {
    terms: Vec<Rational>,
    constant: Rational,
}

impl Form {
    /// self + factor·other.
    fn plus(&self, factor: &Rational, other: &Form) -> Form {
        let pairs = self.terms.iter().zip(&other.terms);
        Form {
            terms: pairs.map(|(x, y)| x + factor * y).collect(),
            constant: &self.constant + factor * &other.constant,
        }
    }
}

/// Linear conditions: forms that must be zero, and forms that must not be negative.
#[derive(Clone, Debug, Default)]
struct System {
    equations: Vec<Form>,
    inequalities: Vec<Form>,
}

enum Range {
    Empty,
    Single(Rational),
    /// More than one value, bounded or not.
    Wide,
}

impl System {
    /// The values that the last unknown takes over all solutions.
    fn range_of_last(mut self) -> Range {
        let last = self.equations.first().map_or(0, |form| form.terms.len() - 1);
        for unknown in 0..last {
            self.eliminate(unknown);
        }
        // Only the last unknown is left: each condition bounds it or is a plain statement.
        let (mut low, mut high): (Option<Rational>, Option<Rational>) = (None, None);
        let both = self.equations.iter().flat_map(|form| {
            let negated = Form { terms: form.terms.iter().map(|x| -x).collect(), constant: -&form.constant };
            [form.clone(), negated]
        });
        for form in both.chain(self.inequalities.iter().cloned()) {
            let term = &form.terms[last];
            if term.is_zero() {
                if form.constant < Rational::ZERO {
                    return Range::Empty;
                }
                continue;
            }
            let bound = -&form.constant / term;
            if *term > Rational::ZERO {
                low = Some(low.map_or(bound.clone(), |x| x.max(bound)));
            } else {
                high = Some(high.map_or(bound.clone(), |x| x.min(bound)));
            }
        }
        match (low, high) {
            (Some(low), Some(high)) if low > high => Range::Empty,
            (Some(low), Some(high)) if low == high => Range::Single(low),
            _ => Range::Wide,
        }
    }

    /// Removes an unknown; the solutions for the others stay the same.
    fn eliminate(&mut self, unknown: usize) {
        let with_it = |form: &Form| !form.terms[unknown].is_zero();
        if let Some(index) = self.equations.iter().position(with_it) {
            // An equation gives the unknown in terms of the others.
            let pivot = self.equations.remove(index);
            for form in self.equations.iter_mut().chain(&mut self.inequalities) {
                let factor = -&form.terms[unknown] / &pivot.terms[unknown];
                *form = form.plus(&factor, &pivot);
            }
            return;
        }
        // Every lower bound must be below every upper bound.
        let (bounds, mut rest): (Vec<Form>, Vec<Form>) = self.inequalities.drain(..).partition(with_it);
        let (lower, upper): (Vec<Form>, Vec<Form>) =
            bounds.into_iter().partition(|form| form.terms[unknown] > Rational::ZERO);
        for low in &lower {
            for high in &upper {
                let factor = -&low.terms[unknown] / &high.terms[unknown];
                rest.push(low.plus(&factor, high));
            }
        }
        self.inequalities = rest;
    }
}

/// Number of independent vectors.
fn rank<const D: usize>(vectors: &[V<D>]) -> usize {
    let mut rows = vectors.to_vec();
    let mut rank = 0;
    for axis in 0..D {
        let Some(index) = (rank..rows.len()).find(|&i| !rows[i].0[axis].is_zero()) else {
            continue;
        };
        rows.swap(rank, index);
        let pivot = rows[rank].clone();
        for row in &mut rows[rank + 1..] {
            let factor = &row.0[axis] / &pivot.0[axis];
            *row = &*row - &pivot.scaled(&factor);
        }
        rank += 1;
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Rng, SegmentMeeting, lattice_point, meeting_segments};
    use crate::rational::{exact, fraction};
    use Relation::{Apart, Coincident, Crossing, Parallel};

    fn check(a: &Flat<3>, b: &Flat<3>, relation: Relation, distance_squared: Rational) {
        for (a, b) in [(a, b), (b, a)] {
            assert_eq!(a.relation(b), relation, "{a:?} {b:?}");
            assert_eq!(a.distance_squared(b), distance_squared, "{a:?} {b:?}");
        }
    }

    #[test]
    fn lines_and_planes_by_hand() {
        let zero = || exact(0.0);
        let floor = Flat::plane(&[0.0, 1.0, 0.0], &[0.0, 2.0, 0.0]);
        let line = |p, d| Flat::line(&p, &d);
        check(&floor, &line([3.0, 4.0, 5.0], [1.0, -1.0, 0.0]), Crossing, zero());
        check(&floor, &line([3.0, 4.0, 5.0], [1.0, 0.0, 7.0]), Parallel, exact(9.0));
        check(&floor, &line([3.0, 1.0, 5.0], [1.0, 0.0, 7.0]), Coincident, zero());
        check(&floor, &Flat::ray(&[3.0, 4.0, 5.0], &[1.0, 1.0, 0.0]), Apart, exact(9.0));
        check(&floor, &Flat::point(&[9.0, 3.0, 9.0]), Apart, exact(4.0));
        check(&floor, &Flat::point(&[9.0, 1.0, 9.0]), Crossing, zero());
        let wall = Flat::plane(&[0.0, 0.0, 0.0], &[1.0, 1.0, 0.0]);
        check(&floor, &wall, Coincident, zero());
        let ceiling = Flat::plane(&[0.0, 3.0, 0.0], &[0.0, -0.5, 0.0]);
        check(&floor, &ceiling, Parallel, exact(4.0));
        check(&floor, &floor, Coincident, zero());
        // Skew lines: along x at z = 0, along y at z = 3.
        let along_x = line([0.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
        check(&along_x, &line([1.0, 0.0, 3.0], [0.0, 1.0, 0.0]), Apart, exact(9.0));
        check(&along_x, &line([1.0, 5.0, 0.0], [0.0, 1.0, 0.0]), Crossing, zero());
        check(&along_x, &line([0.0, 3.0, 4.0], [-2.0, 0.0, 0.0]), Parallel, exact(25.0));
        let point = along_x.crossing_point(&line([1.0, 5.0, 0.0], [0.0, 1.0, 0.0]));
        assert_eq!(point, Some([1.0, 0.0, 0.0].to_exact()));
    }

    #[test]
    fn triangles_and_parallelograms_by_hand() {
        let zero = || exact(0.0);
        let triangle = Flat::triangle(&[[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]]);
        let segment = |a, b| Flat::segment(&a, &b);
        check(&triangle, &segment([0.5, 0.5, -1.0], [0.5, 0.5, 1.0]), Crossing, zero());
        check(&triangle, &segment([1.0, 1.0, -1.0], [1.0, 1.0, 1.0]), Crossing, zero());
        check(&triangle, &segment([1.5, 1.5, -1.0], [1.5, 1.5, 1.0]), Apart, fraction(1, 2));
        check(&triangle, &segment([0.0, 0.0, 1.0], [1.0, 0.0, 1.0]), Parallel, exact(1.0));
        check(&triangle, &segment([-1.0, 0.5, 0.0], [3.0, 0.5, 0.0]), Coincident, zero());
        check(&triangle, &segment([-1.0, 1.0, 0.0], [1.0, -1.0, 0.0]), Crossing, zero());
        // s + t may reach 2 in a parallelogram, not in a triangle.
        let square = Flat::parallelogram(&[0.0, 0.0, 0.0], &[2.0, 0.0, 0.0], &[0.0, 2.0, 0.0]);
        check(&square, &segment([1.5, 1.5, -1.0], [1.5, 1.5, 1.0]), Crossing, zero());
        check(&square, &segment([3.0, 1.0, -1.0], [3.0, 1.0, 1.0]), Apart, exact(1.0));
        check(&square, &triangle, Coincident, zero());
        let corner_to_corner = Flat::triangle(&[[2.0, 2.0, 0.0], [3.0, 2.0, 0.0], [2.0, 3.0, 1.0]]);
        check(&square, &corner_to_corner, Crossing, zero());
        // Coplanar triangles that share a corner, an edge, nothing.
        let at_corner = Flat::triangle(&[[2.0, 0.0, 0.0], [3.0, 0.0, 0.0], [3.0, 1.0, 0.0]]);
        check(&triangle, &at_corner, Crossing, zero());
        let at_edge = Flat::triangle(&[[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [2.0, 2.0, 0.0]]);
        check(&triangle, &at_edge, Coincident, zero());
        let beyond = Flat::triangle(&[[3.0, 0.0, 0.0], [4.0, 0.0, 0.0], [3.0, 1.0, 0.0]]);
        check(&triangle, &beyond, Parallel, exact(1.0));
        // Degenerate: a segment of length zero is a point, a flat triangle is a segment.
        check(&triangle, &segment([1.0, 0.5, 0.0], [1.0, 0.5, 0.0]), Crossing, zero());
        check(&triangle, &segment([1.0, 0.5, 2.0], [1.0, 0.5, 2.0]), Apart, exact(4.0));
        let flat = Flat::triangle(&[[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [2.0, 0.0, 1.0]]);
        check(&triangle, &flat, Parallel, exact(1.0));
        check(&flat, &flat, Coincident, zero());
    }

    #[test]
    fn generated_segments_relate_as_built() {
        let mut rng = Rng::new(21);
        for _ in 0..300 {
            let (a, b, meeting) = meeting_segments::<2>(&mut rng);
            let a = Flat::segment(&a[0], &a[1]);
            let b = Flat::segment(&b[0], &b[1]);
            let relation = a.relation(&b);
            match meeting {
                SegmentMeeting::CollinearOverlap => assert_eq!(relation, Coincident),
                SegmentMeeting::CollinearApart => assert_eq!(relation, Parallel),
                _ => assert!(matches!(relation, Crossing | Coincident)),
            }
        }
    }

    #[test]
    fn common_points_agree_with_distances() {
        let mut rng = Rng::new(22);
        let mut counts = [0; 2];
        for _ in 0..300 {
            let mut p = || lattice_point::<3>(&mut rng);
            let (a, b, c, d, e) = (p(), p(), p(), p(), p());
            let triangle = Flat::triangle(&[a, b, c]);
            for other in [
                Flat::segment(&d, &e),
                Flat::ray(&d, &e),
                Flat::line(&d, &e),
                Flat::parallelogram(&d, &e, &a),
                Flat::triangle(&[d, e, c]),
            ] {
                let meet = matches!(triangle.relation(&other), Crossing | Coincident);
                assert_eq!(meet, triangle.distance_squared(&other).is_zero());
                counts[usize::from(meet)] += 1;
            }
        }
        assert!(counts.iter().all(|&count| count > 100));
    }
}
