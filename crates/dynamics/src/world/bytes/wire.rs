//! Numbers, vectors and rotations as bytes, little-endian, to the bit.

use crate::Error;
use carom_math::{Mat3, Pose2, Pose3, Quat, Rot2, Vec2, Vec3};

/// Something that is read from its beginning.
#[derive(Debug)]
pub(crate) struct Input<'a> {
    all: usize,
    rest: &'a [u8],
}

impl<'a> Input<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Input { all: bytes.len(), rest: bytes }
    }
    /// An error at the place that has been reached.
    pub(crate) fn fail(&self, problem: &'static str) -> Error {
        Error::Bytes { offset: self.all - self.rest.len(), problem }
    }
    pub(crate) fn take<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let (first, rest) = self.rest.split_first_chunk().ok_or_else(|| self.fail("they end too early"))?;
        self.rest = rest;
        Ok(*first)
    }
    pub(crate) fn bytes(&mut self, count: usize) -> Result<&'a [u8], Error> {
        let (first, rest) =
            self.rest.split_at_checked(count).ok_or_else(|| self.fail("they end too early"))?;
        self.rest = rest;
        Ok(first)
    }
    pub(crate) fn varint(&mut self) -> Result<u64, Error> {
        let failed = self.fail("a number is too long");
        super::pack::take_varint(&mut self.rest).ok_or(failed)
    }
    /// How many things follow that take `least` bytes each, at least: never more than there is room for.
    pub(crate) fn count(&mut self, least: usize) -> Result<usize, Error> {
        let count = usize::try_from(self.varint()?).unwrap_or(usize::MAX);
        if self.rest.len() / least.max(1) < count {
            return Err(self.fail("there cannot be so many"));
        }
        Ok(count)
    }
    /// An error unless there is room for so many bytes: asked before memory is taken for what they describe.
    pub(crate) fn need(&self, things: &[(usize, usize)]) -> Result<(), Error> {
        let all =
            things.iter().fold(0_usize, |sum, (count, size)| sum.saturating_add(count.saturating_mul(*size)));
        if self.rest.len() < all { Err(self.fail("there cannot be so many")) } else { Ok(()) }
    }
    /// How much has been read.
    pub(crate) fn offset(&self) -> usize {
        self.all - self.rest.len()
    }
    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }
    pub(crate) fn get<T: Wire>(&mut self) -> Result<T, Error> {
        T::get(self)
    }
}

/// What can be written and read.
pub(crate) trait Wire: Sized {
    fn put(&self, bytes: &mut Vec<u8>);
    fn get(input: &mut Input<'_>) -> Result<Self, Error>;
}

macro_rules! wire_numbers {
    ($($number:ty),+) => {
        $(impl Wire for $number {
            fn put(&self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }
            fn get(input: &mut Input<'_>) -> Result<Self, Error> {
                Ok(<$number>::from_le_bytes(input.take()?))
            }
        })+
    };
}

wire_numbers!(u8, u32, u64, i32);

macro_rules! wire_floats {
    ($($number:ty = $what:literal),+) => {
        $(impl Wire for $number {
            fn put(&self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }
            /// No state has a NaN, so none is read.
            fn get(input: &mut Input<'_>) -> Result<Self, Error> {
                let number = <$number>::from_le_bytes(input.take()?);
                if number.is_nan() { Err(input.fail("a number is NaN")) } else { Ok(number) }
            }
        })+
    };
}

wire_floats!(f32 = "f32", f64 = "f64");

impl Wire for bool {
    fn put(&self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(*self));
    }
    fn get(input: &mut Input<'_>) -> Result<Self, Error> {
        match input.get::<u8>()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(input.fail("neither yes nor no")),
        }
    }
}

/// Structures, by what they are made of.
macro_rules! wire_parts {
    ($($type:ty: ($value:ident) $($part:expr),+ => |$($name:ident: $kind:ty),+| $made:expr;)+) => {
        $(impl Wire for $type {
            fn put(&self, bytes: &mut Vec<u8>) {
                let $value = self;
                $($part.put(bytes);)+
            }
            fn get(input: &mut Input<'_>) -> Result<Self, Error> {
                $(let $name = <$kind>::get(input)?;)+
                Ok($made)
            }
        })+
    };
}

wire_parts! {
    Vec2<f32>: (v) v.x, v.y => |x: f32, y: f32| Vec2::new(x, y);
    Vec2<f64>: (v) v.x, v.y => |x: f64, y: f64| Vec2::new(x, y);
    Vec3<f32>: (v) v.x, v.y, v.z => |x: f32, y: f32, z: f32| Vec3::new(x, y, z);
    Vec3<f64>: (v) v.x, v.y, v.z => |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
    Rot2<f32>: (r) r.cos(), r.sin() => |cos: f32, sin: f32| Rot2::from_parts(cos, sin);
    Quat<f32>: (r) r.to_array()[0], r.to_array()[1], r.to_array()[2], r.to_array()[3]
        => |x: f32, y: f32, z: f32, w: f32| Quat::from_parts([x, y, z, w]);
    Pose2<f32>: (p) p.translation, p.rotation
        => |at: Vec2<f32>, turn: Rot2<f32>| Pose2 { translation: at, rotation: turn };
    Pose3<f32>: (p) p.translation, p.rotation
        => |at: Vec3<f32>, turn: Quat<f32>| Pose3 { translation: at, rotation: turn };
    Mat3<f32>: (m) m.columns[0], m.columns[1], m.columns[2]
        => |a: Vec3<f32>, b: Vec3<f32>, c: Vec3<f32>| Mat3 { columns: [a, b, c] };
}

impl<T: Wire + Copy + Default, const N: usize> Wire for [T; N] {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.iter().for_each(|item| item.put(bytes));
    }
    fn get(input: &mut Input<'_>) -> Result<Self, Error> {
        let mut items = [T::default(); N];
        for item in &mut items {
            *item = input.get()?;
        }
        Ok(items)
    }
}

/// A byte, 1 where there is something.
pub(crate) fn put_option<T: Wire>(option: Option<&T>, bytes: &mut Vec<u8>) {
    option.is_some().put(bytes);
    if let Some(value) = option {
        value.put(bytes);
    }
}

pub(crate) fn get_option<T: Wire>(input: &mut Input<'_>) -> Result<Option<T>, Error> {
    Ok(if input.get()? { Some(input.get()?) } else { None })
}

impl Wire for Option<Box<str>> {
    fn put(&self, bytes: &mut Vec<u8>) {
        match self {
            None => bytes.push(0),
            Some(text) => {
                super::pack::put_varint(bytes, text.len() as u64 + 1);
                bytes.extend_from_slice(text.as_bytes());
            }
        }
    }
    fn get(input: &mut Input<'_>) -> Result<Self, Error> {
        let Some(length) = input.varint()?.checked_sub(1) else { return Ok(None) };
        let text = input.bytes(usize::try_from(length).unwrap_or(usize::MAX))?;
        let text = core::str::from_utf8(text).map_err(|_| input.fail("a name is not UTF-8"))?;
        Ok(Some(text.into()))
    }
}

/// Appends a length and what a list has.
pub(crate) fn put_list<T: Wire>(bytes: &mut Vec<u8>, list: impl ExactSizeIterator<Item = T>) {
    super::pack::put_varint(bytes, list.len() as u64);
    list.for_each(|item| item.put(bytes));
}

/// Takes a list of things that take `least` bytes each, at least.
pub(crate) fn get_list<T: Wire>(input: &mut Input<'_>, least: usize) -> Result<Vec<T>, Error> {
    (0..input.count(least)?).map(|_| input.get()).collect()
}
