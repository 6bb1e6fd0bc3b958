//! Shapes made of many convex parts: meshes, polylines, outlines, height fields, compounds.
//!
//! A composite shape is a list of convex *parts* and a tree over their boxes. Every question is answered by
//! descending the trees of both shapes together, passing over what certified lower bounds exclude, and asking
//! the kernels for convex shapes about the pairs of parts that are left. What is computed for a pair of parts
//! is what those kernels compute: a composite adds no error but that of composing the poses of compounds.
//!
//! **Frames.** Like every pair, composites come in a canonical order, and the first lends its frame. The boxes
//! of the second are carried over rounded outwards; bounds are compared with room for the rounding errors of
//! the kernels, so that the answer is that of all pairs of parts.
//!
//! **Ties** go to the lower part of the first shape, then of the second, as far as they are looked at: what surely is no closer, no deeper and
//! no sooner than the best so far, up to rounding errors, is not. The walk depends on the shapes alone.
//!
//! **Insides.** Surfaces are thin. A closed mesh that was declared solid, and an outline, have an inside as
//! well: where no parts touch, one point of every connected piece of the other shape decides whether that lies
//! inside.
//!
//! **Contacts** are those of parts; that of the whole is the deepest. A part of a surface takes normals from
//! the region of space that is nearest to it only ([`facet`]), so that nothing trips over internal edges.
//!
//! * [`tree`]: the tree; [`descent`]: two of them together, by what [`view`] tells about boxes and [`sieve`] about triangles;
//! * [`walk`]: from two shapes to their pairs of convex parts; [`pair`]: touching and distance; [`contact`]: contacts;
//! * [`cache`]: parts near a shape, kept from one question to the next;
//! * [`facet`]: which normals a part of a surface may have;
//! * [`point`], [`ray`], [`motion`], [`impact`]: a point, a line, two shapes in straight motion, and turning, by [`spans`] of time;
//! * [`compound`]: shapes put together, and [`kernels`]: what is known about convex ones, generated for both
//!   dimensions;
//! * [`query`]: the public questions of a dimension.

pub(crate) mod cache;
pub(crate) mod compound;
pub(crate) mod contact;
pub(crate) mod descent;
pub(crate) mod facet;
pub(crate) mod impact;
pub(crate) mod kernels;
pub(crate) mod motion;
pub(crate) mod pair;
pub(crate) mod point;
pub(crate) mod query;
pub(crate) mod ray;
pub(crate) mod sieve;
pub(crate) mod sight;
mod spans;
pub(crate) mod tree;
pub(crate) mod view;
pub(crate) mod walk;

use crate::answer::{Hit, Separation};
use crate::bound::{Aabb, Bounded, Placement};
use crate::bvh::node::WIDTH;
use crate::cast::span::{Passage, Span};
use crate::manifold::Manifold;
use crate::motion::impact::{Impact, ImpactOptions};
use crate::pair::Relation;
use crate::pair::nearest::Nearest;
use crate::pair::place::{Relative, Turn};
use crate::shape::Resize;
use crate::{CastOptions, Error};
use carom_math::Vector;
use core::ops::ControlFlow;
use facet::Facet;
use sieve::Rows;
use std::borrow::Cow;
use tree::PartTree;

/// Where a frame lies in another one.
pub(crate) type Place<K> = Relative<<K as Kernels>::Vector, <K as Kernels>::Matrix>;

/// What a dimension supplies: its shapes, and what its kernels know about convex ones. All in `f64`.
pub(crate) trait Kernels: Copy + 'static {
    type Vector: Vector<Scalar = f64, Wide = Self::Vector>;
    type Matrix: Turn<Self::Vector>;
    type Pose: Placement<Vector = Self::Vector>;
    type Motion: Copy;
    type Shape: Clone + Resize + Bounded<Self::Vector> + 'static;

    /// The parts of a composite shape; `None` for a convex one.
    fn parts(shape: &Self::Shape) -> Option<&dyn Parts<Self>>;
    /// Normal and offset of a half-space.
    fn plane(shape: &Self::Shape) -> Option<(Self::Vector, f64)>;
    /// A box and a radius about it that hold a convex shape, in its own frame.
    fn core_bounds(shape: &Self::Shape) -> (Aabb<Self::Vector>, f64);
    /// The point of a convex shape that is farthest along a direction, in its own frame.
    fn farthest(shape: &Self::Shape, direction: Self::Vector) -> Self::Vector;
    /// A vector, of any length, across a shape that is flat.
    fn flat_normal(shape: &Self::Shape) -> Option<Self::Vector>;
    /// The radius of a ball.
    fn radius_of_ball(shape: &Self::Shape) -> Option<f64>;
    /// The middle between the points of a convex shape that are farthest along a direction and against it.
    fn middle(shape: &Self::Shape, direction: Self::Vector) -> Self::Vector;
    /// Whether a glance tells that two convex shapes are farther apart than `limit`, more than `error` aside; less deep in each other
    /// than that where it is negative.
    fn is_beyond(a: &Self::Shape, b: &Self::Shape, place: &Place<Self>, limit: f64, error: f64) -> bool {
        let _ = (a, b, place, limit, error);
        false
    }
    /// A lower bound on the distance of two convex shapes, up to rounding, that a glance tells.
    fn gap_at_a_glance(a: &Self::Shape, b: &Self::Shape, place: &Place<Self>) -> f64 {
        let _ = (a, b, place);
        0.0
    }
    /// How two convex shapes relate, in the frame of the first; `None` when they are certainly farther apart
    /// than `limit`.
    fn relate(
        a: &Self::Shape,
        b: &Self::Shape,
        place: &Place<Self>,
        error: f64,
        limit: f64,
    ) -> Option<Relation<Self::Vector>>;
    /// Whether two convex shapes touch: what [`relate`](Self::relate) tells, often sooner.
    fn touch(a: &Self::Shape, b: &Self::Shape, place: &Place<Self>, error: f64) -> bool;
    /// Whether two convex shapes surely overlap by this much, where that can be known far sooner than how deep; `false` says nothing.
    fn overlap_by(a: &Self::Shape, b: &Self::Shape, place: &Place<Self>, error: f64, depth: f64) -> bool;
    /// The same as [`relate`](Self::relate) for answers in `f32`, which do not show the last digits.
    #[inline]
    fn relate_narrow(
        a: &Self::Shape,
        b: &Self::Shape,
        place: &Place<Self>,
        error: f64,
        limit: f64,
    ) -> Option<Relation<Self::Vector>> {
        Self::relate(a, b, place, error, limit)
    }
    /// The point of a convex shape nearest to a point, in its own frame.
    fn nearest(shape: &Self::Shape, point: Self::Vector) -> Nearest<Self::Vector>;
    /// The part of a line in a convex shape, and whether that is thin.
    fn span(
        shape: &Self::Shape,
        origin: Self::Vector,
        direction: Self::Vector,
    ) -> (Option<Span<Self::Vector>>, bool);

    /// Where a ray first hits a convex shape; see [`ray::first_hit`].
    #[inline]
    fn first_hit(
        shape: &Self::Shape,
        origin: Self::Vector,
        direction: Self::Vector,
        solid: bool,
    ) -> Option<Passage<Self::Vector>> {
        let (span, thin) = Self::span(shape, origin, direction);
        span?.first_hit(solid || thin)
    }

    /// The frame within a frame within a frame.
    fn composed(outer: &Place<Self>, inner: &Place<Self>) -> Place<Self>;
    /// The outer frame as seen from the inner one.
    fn inverse(place: &Place<Self>) -> Place<Self>;
    /// A pose as a matrix.
    fn place_of(pose: Self::Pose) -> Place<Self>;
    /// The pose of something placed in something placed.
    fn placed(outer: Self::Pose, inner: Self::Pose) -> Self::Pose;

    /// The points of a contact of two convex shapes, or of their faces along its normal, in the frame of the first.
    /// `bounds`: what the contact is off by, and how far apart points may be.
    fn manifold(
        shapes: [&Self::Shape; 2],
        place: &Place<Self>,
        found: &Separation<Self::Vector>,
        bounds: (f64, f64),
    ) -> Result<Option<Manifold<Self::Vector>>, Error>;
    /// First touch under straight motion.
    fn cast(
        parts: [(&Self::Shape, Self::Pose); 2],
        velocities: [Self::Vector; 2],
        options: CastOptions<f64>,
    ) -> Result<Option<Hit<Self::Vector>>, Error>;
    /// Where a moving frame is at a time.
    fn pose_at(motion: Self::Motion, time: f64) -> Self::Pose;
    /// Where a point of a moving frame is at a time.
    fn moved(motion: Self::Motion, time: f64, point: Self::Vector) -> Self::Vector;
    /// A bound on the speed at which something this far from the origin of a moving frame turns about it.
    fn turning_speed(motion: Self::Motion, arm: f64) -> f64;
    /// The angular speed of either of two moving frames, and of one seen from the other.
    fn angular_speeds(motions: [Self::Motion; 2]) -> ([f64; 2], f64);
    /// The length of the product of an angular velocity and a vector, both in the world.
    fn across(motion: Self::Motion, direction: Self::Vector) -> f64;
    /// The velocity of the origin of a moving frame.
    fn velocity(motion: Self::Motion) -> Self::Vector;
    /// First touch of two convex parts under rigid motion, each at a pose within its moving frame.
    #[allow(clippy::type_complexity)] // spelled out once, here
    fn impact(
        parts: [(&Self::Shape, Option<Self::Pose>, Self::Motion); 2],
        options: ImpactOptions<f64>,
    ) -> Result<Option<Impact<Self::Vector>>, Error>;
}

/// A part of a composite shape, at its scale.
pub(crate) struct Part<'a, K: Kernels> {
    pub(crate) shape: Cow<'a, K::Shape>,
    /// Where it lies in the frame of the composite; `None` for no displacement at all.
    pub(crate) local: Option<K::Pose>,
    /// The number of its own first part among all convex parts: its own, unless it is composite.
    pub(crate) first: u32,
}

/// A ball that may reach into a part: from where, and within which distances.
pub(crate) struct Reach<V> {
    pub(crate) center: V,
    /// Parts that are nearer or farther are of no interest; both squared.
    pub(crate) least_squared: f64,
    pub(crate) most_squared: f64,
    /// What kernels may err by, and what counts as near a side of a facet.
    pub(crate) error: f64,
    pub(crate) near: f64,
}

/// A composite shape, as the walks see it. Coordinates are at its scale.
pub(crate) trait Parts<K: Kernels> {
    /// The tree over the items, without the scale.
    fn tree(&self) -> &PartTree<K::Vector>;
    /// What its coordinates are multiplied by.
    fn factor(&self) -> f64;
    /// How many numbers the parts have, those of parts that do not exist included.
    fn count(&self) -> u32;
    /// Visits the parts of an item of the tree, in order.
    fn visit(&self, item: u32, visit: &mut dyn FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()>;
    /// The same, less those that a line surely misses: origin and direction.
    #[inline]
    fn visit_along(
        &self,
        item: u32,
        line: [K::Vector; 2],
        visit: &mut dyn FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let _ = line;
        self.visit(item, visit)
    }
    /// The corners of items, each of which is one triangle; `false` when they are something else.
    fn triangles(&self, items: &[u32], corners: &mut [[K::Vector; 3]]) -> bool {
        let _ = (items, corners);
        false
    }
    /// The same, without the factor, where it is all in `f32`; `false` where it is not.
    fn rows(&self, items: &[u32; WIDTH], rows: &mut Rows) -> bool {
        let _ = (items, rows);
        false
    }
    /// The box around a part; `None` when it is no better than that of its item.
    fn part_bounds(&self, index: u32) -> Option<Aabb<K::Vector>> {
        let _ = index;
        None
    }
    /// A part that exists.
    fn part(&self, index: u32) -> Part<'_, K>;
    /// The part as a piece of a surface; `None` when its normals are its own business.
    fn facet(&self, index: u32) -> Option<Facet<K::Vector>> {
        let _ = index;
        None
    }
    /// The normal of that piece, which points out of a solid, often known sooner than what lies about it.
    fn facet_normal(&self, index: u32) -> Option<K::Vector> {
        self.facet(index).map(|facet| facet.normal)
    }
    /// Whether a glance tells that a ball reaches into a part of a surface and yet has no contact with it, because its
    /// neighbours do.
    fn is_beside(&self, index: u32, reach: &Reach<K::Vector>) -> bool {
        let _ = (index, reach);
        false
    }
    /// Whether parts have parts of their own.
    fn has_composite_parts(&self) -> bool {
        false
    }
    /// Whether points count as inside that no part contains.
    fn is_solid(&self) -> bool {
        false
    }
    /// Whether a point is inside, given that it is not on a part.
    fn contains(&self, point: K::Vector) -> bool {
        let _ = point;
        false
    }
    /// Where a ray hits a part first, and the number of the convex part that it hits.
    fn part_hit(
        &self,
        index: u32,
        line: [K::Vector; 2],
        solid: bool,
        most: f64,
    ) -> Option<(Passage<K::Vector>, u32)> {
        ray::part_hit(self, index, line, solid, most)
    }
    /// Where a ray hits any part first, and which.
    fn first_hit(&self, line: [K::Vector; 2], solid: bool, most: f64) -> Option<(Passage<K::Vector>, u32)> {
        ray::first_part(self, line, solid, most)
    }
    /// Visits one point of each connected piece.
    fn visit_anchors(&self, visit: &mut dyn FnMut(K::Vector) -> ControlFlow<()>) -> ControlFlow<()>;
}

/// Whether a shape has parts.
#[inline]
pub(crate) fn is_composite<K: Kernels>(shape: &K::Shape) -> bool {
    K::parts(shape).is_some()
}
