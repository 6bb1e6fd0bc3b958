//! Accessors: how numbers lie in a buffer. Everything is checked against the bytes that are there before
//! anything is allocated.

use super::buffer::{Buffers, Loaded};
use super::{Budget, Document, entry};
use crate::failure::Failure;
use crate::json::Value;
use crate::mesh::bytes::Kind;

/// Positions: three numbers each, `f32` or, quantised, whole numbers that may stand for fractions.
pub(super) fn positions<'a>(
    document: &Document<'a>,
    buffers: &mut Buffers<'a>,
    budget: &mut Budget,
    number: usize,
) -> Result<Vec<[f64; 3]>, Failure> {
    let accessor = Accessor::read(document, budget, number, "VEC3", |kind| kind != Kind::U32)?;
    let place = accessor.place;
    let read: Vec<[f64; 3]> = accessor.elements(document, buffers, budget)?;
    match read.iter().position(|position| !position.iter().all(|x| x.is_finite())) {
        None => Ok(read),
        Some(vertex) => {
            let text = format!(
                "vertex {vertex} must be finite, but is {:?}; export the mesh without it",
                read[vertex]
            );
            Err(place.fail("not_finite", text))
        }
    }
}

/// Indices: one whole number each.
pub(super) fn indices<'a>(
    document: &Document<'a>,
    buffers: &mut Buffers<'a>,
    budget: &mut Budget,
    number: usize,
) -> Result<Vec<u32>, Failure> {
    let is_index = |kind| matches!(kind, Kind::U8 | Kind::U16 | Kind::U32);
    let accessor = Accessor::read(document, budget, number, "SCALAR", is_index)?;
    let read: Vec<[f64; 1]> = accessor.elements(document, buffers, budget)?;
    // All three types fit.
    Ok(read.into_iter().map(|[index]| index as u32).collect())
}

/// Where numbers lie: in a view of a buffer, from an offset on.
struct Layout<'a> {
    place: Value<'a>,
    view: Option<Value<'a>>,
    offset: u64,
    kind: Kind,
    count: usize,
}

struct Accessor<'a> {
    place: Value<'a>,
    layout: Layout<'a>,
    is_normalized: bool,
    sparse: Option<Value<'a>>,
}

impl<'a> Accessor<'a> {
    fn read(
        document: &Document<'a>,
        budget: &mut Budget,
        number: usize,
        wanted: &str,
        is_kind: impl Fn(Kind) -> bool,
    ) -> Result<Self, Failure> {
        let place = document.accessors[number];
        // A long text may be referred to often, and is read each time.
        budget.spend(place.raw().len(), place)?;
        let (mut sparse, mut is_normalized, mut shape) = (None, false, None);
        place.each_field(|field, value| {
            match field {
                "type" => shape = Some(value),
                "sparse" => sparse = Some(value),
                "normalized" => is_normalized = value.boolean()?,
                _ => {}
            }
            Ok(())
        })?;
        let count = need(place, "count")?;
        let layout = Layout::read(place, count)?;
        let shape = shape.unwrap_or(place);
        if shape.word().ok().as_deref() != Some(wanted) {
            return Err(shape.fail("wrong_type", format!("expected an accessor of type \"{wanted}\"")));
        }
        if !is_kind(layout.kind) {
            let text = format!(
                "numbers of this type cannot be {}",
                if wanted == "SCALAR" { "indices" } else { "positions" }
            );
            return Err(need(place, "componentType")?.fail("wrong_type", text));
        }
        Ok(Accessor { place, layout, is_normalized, sparse })
    }

    /// All elements, `N` numbers each.
    fn elements<const N: usize>(
        &self,
        document: &Document<'a>,
        buffers: &mut Buffers<'a>,
        budget: &mut Budget,
    ) -> Result<Vec<[f64; N]>, Failure> {
        let count = self.layout.count;
        let mut elements = Vec::new();
        if self.layout.view.is_none() && self.sparse.is_some() {
            // What is not said is zero.
            budget.spend(count, self.place)?;
            elements.resize(count, [0.0; N]);
        } else {
            let block = self.layout.block(N, document, buffers, budget)?;
            budget.spend(count, self.place)?;
            elements.reserve_exact(count);
            elements.extend(block.elements().map(|bytes| self.decode(bytes)));
        }
        if let Some(sparse) = self.sparse {
            self.replace(sparse, &mut elements, document, buffers, budget)?;
        }
        Ok(elements)
    }

    /// Puts the elements of a sparse accessor in their places.
    fn replace<const N: usize>(
        &self,
        sparse: Value<'a>,
        elements: &mut [[f64; N]],
        document: &Document<'a>,
        buffers: &mut Buffers<'a>,
        budget: &mut Budget,
    ) -> Result<(), Failure> {
        let count = need(sparse, "count")?;
        let (indices, values) = (need(sparse, "indices")?, need(sparse, "values")?);
        let indices_at = Layout::read(indices, count)?;
        if !matches!(indices_at.kind, Kind::U8 | Kind::U16 | Kind::U32) {
            return Err(indices.fail("wrong_type", "numbers of this type cannot be indices"));
        }
        let values_at = Layout { kind: self.layout.kind, ..Layout::of_values(values, count)? };
        let index_block = indices_at.block(1, document, buffers, budget)?;
        let value_block = values_at.block(N, document, buffers, budget)?;
        budget.spend(indices_at.count, sparse)?;
        for (index, value) in index_block.elements().zip(value_block.elements()) {
            let index = indices_at.kind.little(index).unwrap_or_default() as usize;
            match elements.get_mut(index) {
                Some(slot) => *slot = self.decode(value),
                None => {
                    let text =
                        format!("a sparse index is {index}, but there are {} elements", self.layout.count);
                    return Err(indices.fail("no_such_index", text));
                }
            }
        }
        Ok(())
    }

    /// The numbers of an element, whose bytes are there.
    #[inline]
    fn decode<const N: usize>(&self, bytes: &[u8]) -> [f64; N] {
        let kind = self.layout.kind;
        std::array::from_fn(|i| {
            let number =
                bytes.get(i * kind.size()..).and_then(|bytes| kind.little(bytes)).unwrap_or_default();
            if self.is_normalized { normalized(kind, number) } else { number }
        })
    }
}

/// The fraction that a whole number stands for.
fn normalized(kind: Kind, number: f64) -> f64 {
    let fraction = match kind {
        Kind::I8 => number / 127.0,
        Kind::U8 => number / 255.0,
        Kind::I16 => number / 32767.0,
        Kind::U16 => number / 65535.0,
        _ => number,
    };
    if kind.is_whole() && fraction < -1.0 { -1.0 } else { fraction }
}

/// The bytes of elements that lie `stride` apart. They are known to be there.
struct Block<'a> {
    bytes: Loaded<'a>,
    start: usize,
    stride: usize,
    size: usize,
    count: usize,
}

impl<'a> Layout<'a> {
    /// The layout that an object describes, with so many elements.
    fn read(place: Value<'a>, count: Value<'a>) -> Result<Self, Failure> {
        let component = need(place, "componentType")?;
        let kind = match component.whole()? {
            5120 => Kind::I8,
            5121 => Kind::U8,
            5122 => Kind::I16,
            5123 => Kind::U16,
            5125 => Kind::U32,
            5126 => Kind::F32,
            other => {
                let text = format!("expected a component type from 5120 to 5126, but found {other}");
                return Err(component.fail("out_of_range", text));
            }
        };
        Ok(Layout { kind, ..Layout::of_values(place, count)? })
    }

    /// The same for an object that says nothing about the type.
    fn of_values(place: Value<'a>, count: Value<'a>) -> Result<Self, Failure> {
        let offset = place.field("byteOffset")?.map_or(Ok(0), Value::whole)?;
        let Ok(size) = usize::try_from(count.whole()?) else {
            return Err(count.fail("out_of_range", "the count is too large"));
        };
        Ok(Layout { place, view: place.field("bufferView")?, offset, kind: Kind::F32, count: size })
    }

    /// Finds the bytes of all elements, `width` numbers each.
    fn block(
        &self,
        width: usize,
        document: &Document<'a>,
        buffers: &mut Buffers<'a>,
        budget: &mut Budget,
    ) -> Result<Block<'a>, Failure> {
        let Some(reference) = self.view else {
            let text = "there is no `bufferView`, so the numbers are nowhere; export without compression";
            return Err(self.place.fail("missing_field", text));
        };
        let (_, view) = entry(&document.views, reference, "buffer view")?;
        budget.spend(view.raw().len(), view)?;
        let bytes = buffers.load(need(view, "buffer")?, budget)?;
        let view_offset = view.field("byteOffset")?.map_or(Ok(0), Value::whole)?;
        let view_length = need(view, "byteLength")?.whole()?;
        let size = width * self.kind.size();
        let stride = match view.field("byteStride")? {
            None => size as u64,
            Some(value) => match value.whole()? {
                stride if size as u64 <= stride => stride,
                stride => {
                    let text = format!("elements of {size} bytes cannot lie {stride} bytes apart");
                    return Err(value.fail("out_of_range", text));
                }
            },
        };
        // Nothing wraps: too large is too large.
        let last = (self.count as u64).saturating_sub(1).saturating_mul(stride).saturating_add(size as u64);
        let needed = self.offset.saturating_add(if self.count == 0 { 0 } else { last });
        if view_length < needed {
            let text = format!("{needed} bytes are needed, but the buffer view has {view_length}");
            return Err(self.place.fail("truncated", text));
        }
        let available = bytes.len() as u64;
        if available < view_offset.saturating_add(view_length) {
            let text = format!("the view goes beyond its buffer, which has {available} bytes");
            return Err(view.fail("truncated", text));
        }
        // All of these are at most the number of bytes in memory, unless there is no element.
        let start = (view_offset + self.offset) as usize;
        Ok(Block {
            bytes,
            start,
            stride: usize::try_from(stride).unwrap_or(usize::MAX),
            size,
            count: self.count,
        })
    }
}

impl Block<'_> {
    fn elements(&self) -> impl Iterator<Item = &[u8]> {
        let bytes = self.bytes.get(self.start..).unwrap_or_default();
        bytes.chunks(self.stride.max(1)).take(self.count).filter_map(|chunk| chunk.get(..self.size))
    }
}

/// A field that must be there.
fn need<'a>(object: Value<'a>, name: &str) -> Result<Value<'a>, Failure> {
    object.field(name)?.ok_or_else(|| object.fail("missing_field", format!("the field `{name}` is missing")))
}
