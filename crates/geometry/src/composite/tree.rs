//! The tree over the parts of a composite shape: that of [`crate::bvh`], in the frame of the shape and without the
//! boxes themselves. What its nodes enclose is a little larger, and the kernels have the last word.

use crate::bound::Aabb;
use crate::bvh::Bvh;
use crate::bvh::view::View;
use carom_math::{Number, Vector};

/// A tree with at least one item.
#[derive(Clone, Debug)]
pub(crate) struct PartTree<V: Vector> {
    tree: Bvh<V>,
    /// The largest magnitude of a coordinate.
    size: f64,
}

impl<V: Vector<Scalar = f64>> PartTree<V> {
    /// The tree over boxes; `None` when there is none.
    pub(crate) fn build(boxes: &[Aabb<V>]) -> Option<Self> {
        (!boxes.is_empty()).then(|| Self::new(Bvh::without_boxes(boxes)))
    }

    /// The tree over items that are each the hull of some points; `None` when there is none. See [`Bvh::over_corners`].
    pub(crate) fn over_corners<const N: usize>(points: &[V], items: &[[u32; N]]) -> Option<Self> {
        (!items.is_empty()).then(|| Self::new(Bvh::over_corners(points, items)))
    }

    fn new(tree: Bvh<V>) -> Self {
        let all = tree.bounds().unwrap_or_else(Aabb::empty);
        PartTree { tree, size: all.max.max_abs().max_of(all.min.max_abs()) }
    }

    /// How many items there are.
    pub(crate) fn len(&self) -> u32 {
        self.tree.len() as u32
    }

    /// The box around everything.
    pub(crate) fn bounds(&self) -> Aabb<V> {
        self.tree.bounds().unwrap_or_else(Aabb::empty)
    }

    /// The largest magnitude of a coordinate of that box.
    #[inline]
    pub(crate) fn size(&self) -> f64 {
        self.size
    }

    #[inline]
    pub(crate) fn view(&self) -> View<'_, V> {
        self.tree.view()
    }
}
