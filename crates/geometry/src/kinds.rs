//! Generates the shape enums of both dimensions, so that they cannot drift apart.

/// The owned enum `Shape`, the borrowed view `ShapeRef` and the trait `AsShape` for a dimension.
///
/// `ShapeRef` is what queries match on. A concrete shape becomes a view whose variant the compiler
/// knows, so the match disappears (static dispatch); the enum becomes one that is matched at run
/// time. One dispatcher serves both.
macro_rules! shape_kinds {
    ($vector:ident; $($(#[$documentation:meta])* $kind:ident: $type:ty = $name:literal),+ $(,)?) => {
        /// Any shape of this dimension.
        ///
        // Laid out as in C, every kind begins at the same offset: a view is then made without looking at the
        // kind.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        #[repr(C)]
        pub enum Shape<T: Real> {
            $($(#[$documentation])* $kind($type)),+
        }

        /// A view of a shape: what the queries dispatch on.
        #[derive(Clone, Copy, Debug)]
        #[non_exhaustive]
        pub enum ShapeRef<'a, T: Real> {
            $($(#[$documentation])* $kind(&'a $type)),+
        }

        /// Everything that can be asked about: each concrete shape, and [`Shape`].
        pub trait AsShape<T: Real> {
            /// A view of the shape.
            fn as_shape(&self) -> ShapeRef<'_, T>;
        }

        impl<T: Real> AsShape<T> for Shape<T> {
            #[inline(always)]
            fn as_shape(&self) -> ShapeRef<'_, T> {
                match self {
                    $(Shape::$kind(shape) => ShapeRef::$kind(shape)),+
                }
            }
        }

        impl<T: Real> AsShape<T> for ShapeRef<'_, T> {
            #[inline(always)]
            fn as_shape(&self) -> ShapeRef<'_, T> {
                *self
            }
        }

        $(
            impl<T: Real> AsShape<T> for $type {
                #[inline(always)]
                fn as_shape(&self) -> ShapeRef<'_, T> {
                    ShapeRef::$kind(self)
                }
            }
            impl<T: Real> From<$type> for Shape<T> {
                #[inline(always)]
                fn from(shape: $type) -> Self {
                    Shape::$kind(shape)
                }
            }
        )+

        impl<'a, T: Real> ShapeRef<'a, T> {
            /// The name of the kind, as in files and messages.
            #[must_use]
            pub fn kind(&self) -> &'static str {
                match self {
                    $(ShapeRef::$kind(_) => $name),+
                }
            }
            /// The same shape in `f64`; exact, but for the sum of two radii.
            #[inline]
            pub(crate) fn widen(&self) -> Cow<'a, Shape<f64>> {
                match *self {
                    $(ShapeRef::$kind(shape) => match Lend::<Shape<f64>>::lent(shape) {
                        Some(wide) => Cow::Borrowed(wide),
                        None => Cow::Owned(Shape::from(Widen::widen(shape))),
                    }),+
                }
            }
        }

        impl Bounded<$vector<f64>> for Shape<f64> {
            fn bounds(&self, frame: &Frame<$vector<f64>>) -> Aabb<$vector<f64>> {
                match self {
                    $(Shape::$kind(shape) => shape.bounds(frame)),+
                }
            }
        }

        impl Resize for Shape<f64> {
            #[inline]
            fn size(&self) -> f64 {
                match self {
                    $(Shape::$kind(shape) => Resize::size(shape)),+
                }
            }
            fn resized(&self, factor: f64) -> Self {
                match self {
                    $(Shape::$kind(shape) => Shape::$kind(shape.resized(factor))),+
                }
            }
        }
    };
}

pub(crate) use shape_kinds;
