//! `carom check`: what clashes among the parts of mesh files, or among the bodies of a scene.
//!
//! Each group of a mesh file is an item, and each shape of a body. A closed mesh whose triangles are all wound
//! outwards is a solid; any other is a surface, which has no inside, and the report says why. Shapes of one body
//! do not clash with each other, shapes whose filters keep them apart do not clash, and sensors take no part.
//!
//! ```
//! use carom_scene::check::{Check, ClashKind, ClashOptions, check_scene};
//! use carom_scene::scene_file::parse_scene;
//!
//! let scene = parse_scene(br#"{"carom": 1, "dim": 2, "bodies": [
//!     {"name": "table", "shapes": [{"shape": {"type": "cuboid", "half_extents": [2, 1]}}]},
//!     {"name": "cup", "pose": {"translation": [0, 1.25]}, "shapes": [{"shape": {"type": "ball", "radius": 0.5}}]}
//! ]}"#, None)?;
//! let Check::Plane(found) = check_scene(&scene, ClashOptions::default())? else { unreachable!() };
//! assert_eq!((found.clashes[0].kind, found.clashes[0].depth), (ClashKind::Piercing, 0.25));
//! assert_eq!([&*found.items[0].name, &*found.items[1].name], ["table", "cup"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod items;
mod picture;
mod sketch;
mod write;

pub use carom::clash::{ClashKind, ClashOptions};
pub use items::{Item, items_of_mesh};

use crate::scene_file::{Dimension, Scene};
use carom::clash::{Clash, ClashReport};
use carom::math::{Vec2, Vec3, Vector};
use carom::{Error, d2, d3};
use items::items_of_scene;

/// What was found, in either dimension.
#[derive(Clone, Debug, PartialEq)]
pub enum Check {
    /// Of a scene in the plane.
    Plane(CheckOf<Vec2<f64>>),
    /// Of meshes, or a scene in space.
    Space(CheckOf<Vec3<f64>>),
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckOf<V: Dimension<Scalar = f64>> {
    /// What was checked, by number.
    pub items: Vec<Item<V>>,
    /// All clashes, in the order of the items' numbers.
    pub clashes: Vec<Clash<V>>,
    /// Items that took no part, each with the reason.
    pub refused: Vec<(usize, Error)>,
    /// Pairs without an answer, each with the reason.
    pub undecided: Vec<([usize; 2], Error)>,
    /// How many sensors were left out.
    pub sensors: usize,
    /// How many pairs had boxes that came close enough to be asked about.
    pub pairs: usize,
}

/// What clashes among the shapes of the bodies of a scene.
///
/// # Errors
/// When the options are negative or not finite.
///
/// # Example
/// See the [module](self).
pub fn check_scene(scene: &Scene<f64>, options: ClashOptions<f64>) -> Result<Check, Error> {
    check_scene_with_progress(scene, options, &|_, _| {})
}

/// The same; `progress` is told how many pairs are done, of how many, by the threads that do the work.
///
/// # Errors
/// When the options are negative or not finite.
pub fn check_scene_with_progress(
    scene: &Scene<f64>,
    options: ClashOptions<f64>,
    progress: Progress<'_>,
) -> Result<Check, Error> {
    Ok(match scene {
        Scene::Plane(scene) => {
            let (items, sensors) = items_of_scene(scene);
            Check::Plane(check(items, sensors, options, progress)?)
        }
        Scene::Space(scene) => {
            let (items, sensors) = items_of_scene(scene);
            Check::Space(check(items, sensors, options, progress)?)
        }
    })
}

/// Is told how many pairs are done, of how many.
pub type Progress<'a> = &'a (dyn Fn(usize, usize) + Sync);

/// What clashes among the parts of mesh files.
///
/// # Errors
/// When the options are negative or not finite.
///
/// # Example
/// ```
/// use carom_scene::check::{check_meshes, items_of_mesh};
/// use carom_scene::mesh::{Format, parse_mesh};
/// let sheet = parse_mesh(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", Format::Obj)?;
/// let across = parse_mesh(b"v 0.25 0.25 -1\nv 0.25 0.25 1\nv 9 9 0\nf 1 2 3\n", Format::Obj)?;
/// let mut items = items_of_mesh("sheet.obj", &sheet)?;
/// items.extend(items_of_mesh("across.obj", &across)?);
/// let found = check_meshes(items, Default::default())?;
/// assert!(!found.is_clear());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_meshes(items: Vec<Item<Vec3<f64>>>, options: ClashOptions<f64>) -> Result<Check, Error> {
    check_meshes_with_progress(items, options, &|_, _| {})
}

/// The same; `progress` is told how many pairs are done, of how many, by the threads that do the work.
///
/// # Errors
/// When the options are negative or not finite.
pub fn check_meshes_with_progress(
    mut items: Vec<Item<Vec3<f64>>>,
    options: ClashOptions<f64>,
    progress: Progress<'_>,
) -> Result<Check, Error> {
    // They come from several files, each of which has numbered its own.
    for (body, item) in items.iter_mut().enumerate() {
        item.body = body;
    }
    Ok(Check::Space(check(items, 0, options, progress)?))
}

impl Check {
    /// Whether nothing clashes, and nothing was left undecided.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        match self {
            Check::Plane(found) => found.is_clear(),
            Check::Space(found) => found.is_clear(),
        }
    }

    /// Whether every item could take part.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.refused().is_empty()
    }

    /// How many items there are.
    #[must_use]
    pub fn item_count(&self) -> usize {
        match self {
            Check::Plane(found) => found.items.len(),
            Check::Space(found) => found.items.len(),
        }
    }

    /// How many sensors were left out.
    #[must_use]
    pub fn sensors(&self) -> usize {
        match self {
            Check::Plane(found) => found.sensors,
            Check::Space(found) => found.sensors,
        }
    }

    /// The clashes for a table.
    #[must_use]
    pub fn rows(&self) -> Vec<Row<'_>> {
        match self {
            Check::Plane(found) => found.rows(),
            Check::Space(found) => found.rows(),
        }
    }

    /// Meshes that are no solids, by name, each with the reason.
    #[must_use]
    pub fn surfaces(&self) -> Vec<(&str, &Error)> {
        match self {
            Check::Plane(found) => found.surfaces(),
            Check::Space(found) => found.surfaces(),
        }
    }

    /// Items that took no part, by name, each with the reason.
    #[must_use]
    pub fn refused(&self) -> Vec<(&str, &Error)> {
        match self {
            Check::Plane(found) => found.refused(),
            Check::Space(found) => found.refused(),
        }
    }

    /// Pairs without an answer, by name, each with the reason.
    #[must_use]
    pub fn undecided(&self) -> Vec<([&str; 2], &Error)> {
        match self {
            Check::Plane(found) => found.undecided(),
            Check::Space(found) => found.undecided(),
        }
    }

    /// A picture of what is where: an SVG document with the items and a numbered mark at each clash. One view of the
    /// plane, and three of space, along the axes.
    ///
    /// # Example
    /// ```
    /// let found = carom_scene::check::check_meshes(Vec::new(), Default::default())?;
    /// assert!(found.to_svg().starts_with("<svg "));
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn to_svg(&self) -> String {
        match self {
            Check::Plane(found) => picture::draw(found),
            Check::Space(found) => picture::draw(found),
        }
    }

    /// Appends one JSON object: `{"items", "clashes", "refused", "undecided", "sensors", "pairs", "unread"}`, where
    /// `unread` lists `{"file", "error": {"kind", "message"}}` for inputs that could not be read.
    ///
    /// # Example
    /// ```
    /// let found = carom_scene::check::check_meshes(Vec::new(), Default::default())?;
    /// let mut output = Vec::new();
    /// found.write_json(&[], &mut output);
    /// assert_eq!(output, br#"{"items":[],"clashes":[],"refused":[],"undecided":[],"sensors":0,"pairs":0,"unread":[]}"#);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn write_json(&self, unread: &[Unread], output: &mut Vec<u8>) {
        match self {
            Check::Plane(found) => write::report(found, unread, output),
            Check::Space(found) => write::report(found, unread, output),
        }
    }
}

/// A clash for a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<'a> {
    /// The number that the picture has as well, counted from 1.
    pub number: usize,
    /// The names of the two items.
    pub names: [&'a str; 2],
    /// How they clash.
    pub kind: ClashKind,
    /// How far apart they are.
    pub distance: f64,
    /// How deep they overlap.
    pub depth: f64,
    /// Where: the middle between the two points of the clash, a number for each axis.
    pub place: Vec<f64>,
}

/// An input that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// Its name.
    pub file: String,
    /// A short, stable word for the kind of problem.
    pub kind: &'static str,
    /// What is wrong and how to mend it.
    pub message: String,
}

impl<V: Dimension<Scalar = f64>> CheckOf<V> {
    /// Whether nothing clashes, and nothing was left undecided.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        self.clashes.is_empty() && self.undecided.is_empty()
    }

    fn name(&self, item: usize) -> &str {
        self.items.get(item).map_or("", |item| &item.name)
    }

    fn rows(&self) -> Vec<Row<'_>> {
        let row = |(index, clash): (usize, &Clash<V>)| {
            // Halves first: the sum could overflow.
            let place = clash.point_first * 0.5 + clash.point_second * 0.5;
            Row {
                number: index + 1,
                names: [self.name(clash.first), self.name(clash.second)],
                kind: clash.kind,
                distance: clash.distance,
                depth: clash.depth,
                place: (0..V::DIM).map(|axis| place.get(axis)).collect(),
            }
        };
        self.clashes.iter().enumerate().map(row).collect()
    }

    fn surfaces(&self) -> Vec<(&str, &Error)> {
        self.items.iter().filter_map(|item| Some((&*item.name, item.surface.as_ref()?))).collect()
    }

    fn refused(&self) -> Vec<(&str, &Error)> {
        self.refused.iter().map(|(item, reason)| (self.name(*item), reason)).collect()
    }

    fn undecided(&self) -> Vec<([&str; 2], &Error)> {
        self.undecided.iter().map(|(pair, reason)| (pair.map(|item| self.name(item)), reason)).collect()
    }
}

/// What differs between the plane and space when shapes are checked.
trait Checked: Dimension<Scalar = f64> {
    fn clashes(
        items: &[(Self::Shape, Self::Pose)],
        options: ClashOptions<f64>,
        progress: Progress<'_>,
    ) -> Result<ClashReport<Self>, Error>;
    /// The point of the surface of an item that is nearest to a point.
    fn nearest(item: &Item<Self>, point: Self) -> Option<Self>;
}

impl Checked for Vec2<f64> {
    fn clashes(
        items: &[(Self::Shape, Self::Pose)],
        options: ClashOptions<f64>,
        progress: Progress<'_>,
    ) -> Result<ClashReport<Self>, Error> {
        d2::clashes_with_progress(items, options, progress)
    }
    fn nearest(item: &Item<Self>, point: Self) -> Option<Self> {
        d2::closest_point(&item.shape, item.pose, point).ok().map(|found| found.point)
    }
}

impl Checked for Vec3<f64> {
    fn clashes(
        items: &[(Self::Shape, Self::Pose)],
        options: ClashOptions<f64>,
        progress: Progress<'_>,
    ) -> Result<ClashReport<Self>, Error> {
        d3::clashes_with_progress(items, options, progress)
    }
    fn nearest(item: &Item<Self>, point: Self) -> Option<Self> {
        d3::closest_point(&item.shape, item.pose, point).ok().map(|found| found.point)
    }
}

fn check<V: Checked>(
    items: Vec<Item<V>>,
    sensors: usize,
    options: ClashOptions<f64>,
    progress: Progress<'_>,
) -> Result<CheckOf<V>, Error> {
    let placed: Vec<_> = items.iter().map(|item| (item.shape.clone(), item.pose)).collect();
    let ClashReport { mut clashes, refused, mut undecided, pairs } = V::clashes(&placed, options, progress)?;
    let meets = |first: usize, second: usize| match (items.get(first), items.get(second)) {
        (Some(first), Some(second)) => first.meets(second),
        _ => false,
    };
    clashes.retain(|clash| meets(clash.first, clash.second));
    clashes.iter_mut().for_each(|clash| settle(clash, &items));
    undecided.retain(|&([first, second], _)| meets(first, second));
    Ok(CheckOf { items, clashes, refused, undecided, sensors, pairs })
}

/// Puts the points of a touch where the items do touch. Those of a contact lie on one line along the normal only up to
/// a shift along the surfaces, which for faces in one plane can be as long as the faces.
fn settle<V: Checked>(clash: &mut Clash<V>, items: &[Item<V>]) {
    let (Some(first), Some(second)) = (items.get(clash.first), items.get(clash.second)) else { return };
    if clash.kind != ClashKind::Touching {
        return;
    }
    let candidates = [
        V::nearest(second, clash.point_first).map(|point| [clash.point_first, point]),
        V::nearest(first, clash.point_second).map(|point| [point, clash.point_second]),
    ];
    let mut gap = Vector::length(clash.point_second - clash.point_first);
    for [point_first, point_second] in candidates.into_iter().flatten() {
        let found = Vector::length(point_second - point_first);
        if found < gap {
            (gap, clash.point_first, clash.point_second) = (found, point_first, point_second);
        }
    }
}
