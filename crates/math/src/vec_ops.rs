//! The operators that vectors of both dimensions share, generated once.

/// Componentwise operators for a vector struct whose fields are listed.
macro_rules! implement_vector_operators {
    ($vector:ident { $($field:ident),+ }) => {
        impl<T: $crate::Number> core::ops::Add for $vector<T> {
            type Output = Self;
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                $vector { $($field: self.$field + other.$field),+ }
            }
        }
        impl<T: $crate::Number> core::ops::Sub for $vector<T> {
            type Output = Self;
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                $vector { $($field: self.$field - other.$field),+ }
            }
        }
        impl<T: $crate::Number> core::ops::Neg for $vector<T> {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                $vector { $($field: -self.$field),+ }
            }
        }
        impl<T: $crate::Number> core::ops::Mul<T> for $vector<T> {
            type Output = Self;
            #[inline(always)]
            fn mul(self, factor: T) -> Self {
                $vector { $($field: self.$field * factor),+ }
            }
        }
        impl<T: $crate::Number> core::ops::Div<T> for $vector<T> {
            type Output = Self;
            #[inline(always)]
            fn div(self, divisor: T) -> Self {
                $vector { $($field: self.$field / divisor),+ }
            }
        }
        impl<T: $crate::Number> core::ops::AddAssign for $vector<T> {
            #[inline(always)]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }
        impl<T: $crate::Number> core::ops::SubAssign for $vector<T> {
            #[inline(always)]
            fn sub_assign(&mut self, other: Self) {
                *self = *self - other;
            }
        }
        impl<T: $crate::Number> $vector<T> {
            /// Componentwise product.
            #[must_use]
            #[inline(always)]
            pub fn scaled_by(self, factors: Self) -> Self {
                $vector { $($field: self.$field * factors.$field),+ }
            }
            /// `if_true` in the lanes where the mask holds, `if_false` in the others.
            #[must_use]
            #[inline(always)]
            pub fn select(mask: T::Mask, if_true: Self, if_false: Self) -> Self {
                $vector { $($field: T::select(mask, if_true.$field, if_false.$field)),+ }
            }
        }
    };
}

pub(crate) use implement_vector_operators;
