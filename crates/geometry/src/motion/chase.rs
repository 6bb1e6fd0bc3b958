//! Two moving shapes of a dimension as the search for their first touch sees them.
//!
//! Pairs of balls, boxes and rods have closed forms for their nearest points. For all others GJK finds a direction that is
//! nearly the best, from the vertices between which it found the last one: those turn with their shapes, so that it
//! often has nothing left to do.

use super::simple::Nearest;
use crate::gjk::{Proximity, Space, Vertex, Warm};

/// What one look finds that is of use at a later time.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kept<V> {
    /// Where the nearest points were found.
    Vertices(Vertices<V>),
    /// Of two boxes: mostly it gets into the other one when they touch.
    Point(Nearest<V>),
}

/// The vertices that the nearest points of a pair were found between: their numbers, and for curved
/// shapes, which have none, the directions in which they were the farthest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vertices<V> {
    pub(crate) features: [[u32; 2]; 4],
    pub(crate) warm: Warm<V>,
}

impl<V> Kept<V> {
    pub(crate) fn vertices(&self) -> Option<&Vertices<V>> {
        if let Kept::Vertices(vertices) = self { Some(vertices) } else { None }
    }
}

impl<V: Space> Vertices<V> {
    pub(crate) fn of(near: &Proximity<V>) -> Self {
        Vertices { warm: near.warm(), ..Self::at(near.simplex.vertices()) }
    }

    /// Of polytopes, whose vertices need no directions.
    pub(crate) fn at(vertices: &[Vertex<V>]) -> Self {
        let mut features = [[0; 2]; 4];
        for (to, vertex) in features.iter_mut().zip(vertices) {
            *to = [vertex.feature_a, vertex.feature_b];
        }
        Vertices { features, warm: Warm { directions: [V::ZERO; 4], count: vertices.len().min(4) } }
    }
}

/// What [`impact_query`](super::query::impact_query) needs to know about a pair in motion, over the dimension's own
/// `separation`, `intersects`, `corner_of(&Body, number)` and `facing(bodies, turns, between, error, kept)`. `$turn`: the rotation about an axis by an angle.
macro_rules! chased_pair {
    ($vector:ident, $pose:ident, $motion:ident, $spin:ty, $matrix:ty, $turn:path) => {
        /// The core of a shape, or the centre of a ball.
        enum Either<'a> {
            Point(Corners<$vector<f64>, 1>),
            Body(Body<'a>),
            /// Elsewhere in its moving frame.
            Placed(Posed<Body<'a>, $vector<f64>>),
        }

        impl Support<$vector<f64>> for Either<'_> {
            const CURVED: bool = true;
            #[inline]
            fn support(&self, direction: $vector<f64>) -> ($vector<f64>, u32) {
                match self {
                    Either::Point(Corners([point])) => (*point, 0),
                    Either::Body(body) => body.support(direction),
                    Either::Placed(body) => body.support(direction),
                }
            }
            #[inline]
            fn least_along(&self, direction: $vector<f64>) -> f64 {
                match self {
                    Either::Point(Corners([point])) => direction.dot(*point),
                    Either::Body(body) => body.least_along(direction),
                    Either::Placed(body) => body.least_along(direction),
                }
            }
            fn center(&self) -> $vector<f64> {
                match self {
                    Either::Point(point) => point.center(),
                    Either::Body(body) => body.center(),
                    Either::Placed(body) => body.center(),
                }
            }
            fn size(&self) -> f64 {
                match self {
                    Either::Point(point) => Support::size(point),
                    Either::Body(body) => Support::size(body),
                    Either::Placed(body) => Support::size(body),
                }
            }
        }

        impl Either<'_> {
            /// The side across a direction, a unit vector in the frame of the shape, for those kinds whose pairs have
            /// closed forms.
            fn side(&self, direction: $vector<f64>) -> Option<Side<$vector<f64>>> {
                let side = |body: &Body<'_>, direction: $vector<f64>| match body {
                    Body::Block(_) => Some(side_of_block(direction)),
                    Body::Segment(Corners(ends)) => Some(side_of_segment(*ends, direction)),
                    _ => None,
                };
                match self {
                    Either::Point(_) => Some(Side::Corner),
                    Either::Body(body) => side(body, direction),
                    Either::Placed(body) => match side(body.core(), body.turned_back(direction))? {
                        Side::Edge(along) => Some(Side::Edge(body.turned(along))),
                        other => Some(other),
                    },
                }
            }

            /// What it is, if there is a short way to others of these kinds.
            fn simple(&self) -> Option<Simple<$vector<f64>>> {
                match self {
                    Either::Point(Corners([point])) => Some(Simple::Rod([*point; 2])),
                    Either::Body(Body::Segment(Corners(ends))) => Some(Simple::Rod(*ends)),
                    Either::Body(Body::Block(block)) => Some(Simple::Block(block.0)),
                    _ => None,
                }
            }

            /// The vertex of a number, to the bit as a support point; `None` for what is curved.
            fn corner(&self, number: u32) -> Option<$vector<f64>> {
                match self {
                    Either::Point(Corners([point])) => Some(*point),
                    Either::Body(body) => corner_of(body, number),
                    Either::Placed(body) => corner_of(body.core(), number).map(|corner| body.placed(corner)),
                }
            }
        }

        struct ChasedPair<'a> {
            chase: &'a Chase<'a>,
            actors: Actors<Either<'a>, Either<'a>, $spin, $vector<f64>>,
            /// The axes about which they turn, and how fast.
            turning: [($spin, f64); 2],
        }

        /// Where both shapes are at one time, the first one at the origin.
        #[derive(Clone, Copy)]
        struct Places {
            poses: [$pose<f64>; 2],
            turns: [$matrix; 2],
        }

        impl Pairing<$vector<f64>> for ChasedPair<'_> {
            type Place = Places;
            fn rounding(&self) -> f64 {
                self.actors.rounding
            }
            fn is_lost(&self) -> bool {
                let (first, second) = (&self.actors.first, &self.actors.second);
                (first.reach + second.reach) * (1.0 / 64.0) < self.actors.rounding
            }
            fn enter(&self, start: f64, end: f64) -> Option<f64> {
                self.actors.enter(start, end)
            }
            fn place(&self, time: f64) -> Places {
                // As `Motion::at` but for rounding, without the rest of the pose and for those that look turned only.
                let rotation = |motion: &$motion<f64>, (axis, rate): ($spin, f64)| {
                    let start = motion.start().rotation;
                    if rate == 0.0 || time == 0.0 { start } else { $turn(axis, rate * time) * start }
                };
                let ([motion_a, motion_b], [turning_a, turning_b]) = (&self.chase.motions, self.turning);
                let (first, second) = (rotation(motion_a, turning_a), rotation(motion_b, turning_b));
                let poses = [$pose::from(first), $pose::new(self.actors.between_at(time), second)];
                Places { poses, turns: [first.to_matrix(), second.to_matrix()] }
            }
            fn separation(&self, place: &Places) -> Result<Separation<$vector<f64>>, Error> {
                let ([first, second], [pose_a, pose_b]) = (self.chase.shapes, self.chase.placed(place));
                match separation(first, pose_a, second, pose_b)? {
                    Relation::Separated(found) => Ok(found),
                    _ => Err(Error::UnsupportedPair {
                        operation: "time_of_impact",
                        first: first.as_shape().kind(),
                        second: second.as_shape().kind(),
                    }),
                }
            }
            fn touches(&self, place: &Places, kept: &mut Option<Kept<$vector<f64>>>) -> Result<bool, Error> {
                let ([first, second], [pose_a, pose_b]) = (self.chase.shapes, self.chase.placed(place));
                if let Some(Kept::Point(point)) = *kept
                    && let Some(pair) = self.simple_pair(place)
                    && pair.are_joined_at(point)
                {
                    return Ok(true);
                }
                // Without few corners, GJK knows sooner, unless it is a close call.
                if self.actors.plane.is_none() && !(has_few_corners(first) && has_few_corners(second)) {
                    let near = self.roughly_nearest(place, kept);
                    let radii = self.actors.first.radius + self.actors.second.radius;
                    if near.status == Status::Overlap || near.upper < radii {
                        return Ok(true);
                    }
                    if radii < near.lower {
                        return Ok(false);
                    }
                }
                intersects(first, pose_a, second, pose_b)
            }
            fn glance(
                &self,
                place: &Places,
                kept: &mut Option<Kept<$vector<f64>>>,
            ) -> Result<($vector<f64>, With<$vector<f64>>), Error> {
                if let Some(plane) = self.actors.plane {
                    return Ok((Turn::apply(place.turns[0], plane.normal), With::First));
                }
                let (first, second) = (&self.actors.first, &self.actors.second);
                let is_second_faster = first.rate < second.rate;
                if let [Some(_), Some(_)] =
                    [&first.body, &second.body].map(|body| body.side($vector::unit(0)))
                {
                    let normal = self.across(place, kept)?;
                    let side = |body: &Either<'_>, turn: $matrix| {
                        let side = body.side(turn.undo(normal)).unwrap_or(Side::Corner);
                        if let Side::Edge(along) = side { Side::Edge(turn.apply(along)) } else { side }
                    };
                    let [turn_a, turn_b] = place.turns;
                    let sides = [side(&first.body, turn_a), side(&second.body, turn_b)];
                    return Ok((normal, turns_with(sides, is_second_faster)));
                }
                if let [Either::Body(first), Either::Body(second)] = [&first.body, &second.body] {
                    let (between, error) = (place.poses[1].translation, self.actors.rounding);
                    let found = facing([first, second], place.turns, between, error, kept);
                    if let Some((normal, vertices, count)) = found {
                        return Ok((normal, turns_with(sides_of(&vertices[..count]), is_second_faster)));
                    }
                }
                let near = self.roughly_nearest(place, kept);
                if near.normal == $vector::ZERO || near.lower <= 0.0 {
                    return Ok((self.separation(place)?.normal, With::Nothing));
                }
                Ok((near.normal, turns_with(sides_of(near.simplex.vertices()), is_second_faster)))
            }
            fn nearest(
                &self,
                place: &Places,
                kept: &Option<Kept<$vector<f64>>>,
            ) -> Result<Separation<$vector<f64>>, Error> {
                let ([first, second], radii) =
                    (self.chase.shapes, [self.actors.first.radius, self.actors.second.radius]);
                if self.actors.plane.is_none() && !(has_few_corners(first) && has_few_corners(second)) {
                    let known = kept.as_ref().and_then(Kept::vertices);
                    let near = self.by_gjk(place, known, |a, b, vertices, warm| match warm {
                        Some(_) => gjk::distance(a, b, warm, f64::INFINITY, &mut ()),
                        None => gjk::distance_from(a, b, vertices, f64::INFINITY, &mut ()),
                    });
                    let reach = radii[0] + radii[1];
                    if near.status == Status::Closest && reach < near.lower {
                        return Ok(Separation {
                            separation: near.distance - reach,
                            error: near.upper - near.lower,
                            normal: near.normal,
                            point_a: near.point_a + near.normal * radii[0],
                            point_b: near.point_b - near.normal * radii[1],
                        });
                    }
                }
                let simply = self.simple_pair(place).and_then(|pair| pair.nearest_points());
                match simply.filter(|_| radii == [0.0; 2]) {
                    Some(found) => Ok(found),
                    None => self.separation(place),
                }
            }
            fn clear(
                &self,
                place: &Places,
                direction: $vector<f64>,
                limit: f64,
                trusted: bool,
                hint: With<$vector<f64>>,
            ) -> Clear {
                self.actors.clear(place.turns, place.poses[1].translation, direction, limit, trusted, hint)
            }
            fn gap(&self, place: &Places, direction: $vector<f64>) -> f64 {
                self.actors.gap(place.turns, place.poses[1].translation, direction)
            }
            fn velocities(&self, place: &Places, near: Separation<$vector<f64>>) -> [$vector<f64>; 2] {
                let (first, second) = (&self.actors.first, &self.actors.second);
                // ω×r = −r×ω.
                let arm = near.point_b - place.poses[1].translation;
                [-first.spin.tilt(near.point_a), self.actors.velocity - second.spin.tilt(arm)]
            }
        }

        /// Shapes whose pairs are tested by their separating axes.
        fn has_few_corners(shape: &Shape<f64>) -> bool {
            matches!(
                shape,
                Shape::Ball(_)
                    | Shape::Cuboid(_)
                    | Shape::Capsule(_)
                    | Shape::Segment(_)
                    | Shape::Triangle(_)
            )
        }

        impl ChasedPair<'_> {
            /// The direction between cores with closed forms.
            #[inline]
            fn across(
                &self,
                place: &Places,
                kept: &mut Option<Kept<$vector<f64>>>,
            ) -> Result<$vector<f64>, Error> {
                let way = self.simple_pair(place).and_then(|pair| pair.way_between());
                if let Some((way, point)) = way
                    && let Some(normal) = way.normalized()
                {
                    *kept = point.map(Kept::Point);
                    return Ok(normal);
                }
                Ok(self.separation(place)?.normal)
            }

            #[inline]
            fn simple_pair(&self, place: &Places) -> Option<SimplePair<$vector<f64>, $matrix>> {
                let cores = [self.actors.first.body.simple()?, self.actors.second.body.simple()?];
                let (between, error) = (place.poses[1].translation, self.actors.rounding);
                Some(SimplePair { cores, turns: place.turns, between, error })
            }

            /// About the distance of the cores, by GJK, which begins with what it found the last time.
            fn roughly_nearest(
                &self,
                place: &Places,
                kept: &mut Option<Kept<$vector<f64>>>,
            ) -> Proximity<$vector<f64>> {
                let radii = self.actors.first.radius + self.actors.second.radius;
                let known = kept.as_ref().and_then(Kept::vertices);
                let near = self.by_gjk(place, known, |a, b, vertices, warm| {
                    gjk::rough_distance(a, b, radii, vertices, warm)
                });
                *kept = Some(Kept::Vertices(Vertices::of(&near)));
                near
            }

            /// Asks about the cores where they are, given the vertices to begin with, or directions if those are not known.
            // Part of its callers, or half a kilobyte of vertices would be copied from one to the next.
            #[inline(always)]
            fn by_gjk(
                &self,
                place: &Places,
                kept: Option<&Vertices<$vector<f64>>>,
                ask: impl FnOnce(
                    &Posed<Borrowed<'_, '_>, $vector<f64>>,
                    &Posed<Borrowed<'_, '_>, $vector<f64>>,
                    &[Vertex<$vector<f64>>],
                    Option<&Warm<$vector<f64>>>,
                ) -> Proximity<$vector<f64>>,
            ) -> Proximity<$vector<f64>> {
                let [turn_a, turn_b] = &place.turns;
                let first = Posed::new(Borrowed(&self.actors.first.body), &turn_a.columns, $vector::ZERO);
                let at = place.poses[1].translation;
                let second = Posed::new(Borrowed(&self.actors.second.body), &turn_b.columns, at);
                let Some(kept) = kept else { return ask(&first, &second, &[], None) };
                match self.recalled(kept, |arm| first.placed(arm), |arm| second.placed(arm)) {
                    Some(vertices) => ask(&first, &second, &vertices[..kept.warm.count], None),
                    None => ask(&first, &second, &[], Some(&kept.warm)),
                }
            }

            /// The vertices where they are now; `None` where one of the shapes is curved.
            #[inline(always)]
            fn recalled(
                &self,
                kept: &Vertices<$vector<f64>>,
                place_a: impl Fn($vector<f64>) -> $vector<f64>,
                place_b: impl Fn($vector<f64>) -> $vector<f64>,
            ) -> Option<[Vertex<$vector<f64>>; 4]> {
                let mut vertices =
                    [Vertex::between(Default::default(), Default::default(), $vector::ZERO); 4];
                for (to, [of_a, of_b]) in vertices.iter_mut().zip(kept.features).take(kept.warm.count) {
                    let point_a = place_a(self.actors.first.body.corner(of_a)?);
                    let point_b = place_b(self.actors.second.body.corner(of_b)?);
                    *to = Vertex::between((point_a, of_a), (point_b, of_b), $vector::ZERO);
                }
                Some(vertices)
            }
        }

        /// A core that several sets share for the length of a query.
        struct Borrowed<'a, 'b>(&'a Either<'b>);

        impl Support<$vector<f64>> for Borrowed<'_, '_> {
            const CURVED: bool = true;
            #[inline]
            fn support(&self, direction: $vector<f64>) -> ($vector<f64>, u32) {
                self.0.support(direction)
            }
            fn center(&self) -> $vector<f64> {
                self.0.center()
            }
            fn size(&self) -> f64 {
                Support::size(self.0)
            }
        }
    };
}

pub(crate) use chased_pair;
