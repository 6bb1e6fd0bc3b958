//! The picture of a check: the items from each side, a numbered mark at each clash, and what the numbers mean.
//!
//! Items that clash are coloured, the others are grey. A mark stands where the table says; the line at it goes from
//! the point of one item to the point of the other. Large reports are drawn in part, and the picture says so.

use super::CheckOf;
use super::sketch::{Drawn, Point, Stroke, View, finite};
use carom::clash::{Clash, ClashKind};
use carom::math::Vector;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The room for the views, in pixels.
const ROOM: [f64; 2] = [720.0, 620.0];
const MARGIN: f64 = 28.0;
const LEGEND_WIDTH: f64 = 560.0;
const ROW: f64 = 20.0;
/// The most items that are drawn: those that clash come first.
const MOST_ITEMS: usize = 4_000;
/// The most marks; 300 are past reading.
const MOST_MARKS: usize = 300;
/// The most rows of each part of the legend.
const MOST_ROWS: usize = 30;
/// After so many points shapes are drawn by their outlines alone.
const MOST_POINTS: usize = 60_000;

/// Colours of the items that clash, one after the other.
const COLOURS: [&str; 8] =
    ["#4e79a7", "#59a14f", "#b07aa1", "#9c755f", "#76b7b2", "#edc948", "#ff9da7", "#6b6ecf"];

/// The whole document.
pub(super) fn draw<V: Drawn>(found: &CheckOf<V>) -> String {
    let colours = colours(found);
    let sheet = Sheet::of(found);
    let rows = 3 + found.clashes.len().min(MOST_ROWS + 1) + colours.len().min(MOST_ROWS + 1);
    let width = sheet.size[0] + LEGEND_WIDTH;
    let height = larger(sheet.size[1], rows as f64 * ROW + 3.0 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let mut points = 0;
    for view in V::VIEWS {
        draw_view(&mut svg, found, &colours, &sheet, view, &mut points);
    }
    legend(&mut svg, found, &colours, sheet.size[0]);
    svg.push_str("</svg>\n");
    svg
}

/// The colour of each item that clashes.
fn colours<V: Drawn>(found: &CheckOf<V>) -> BTreeMap<usize, &'static str> {
    let mut colours = BTreeMap::new();
    for item in found.clashes.iter().flat_map(|clash| [clash.first, clash.second]) {
        let next = COLOURS[colours.len() % COLOURS.len()];
        colours.entry(item).or_insert(next);
    }
    colours
}

/// Where everything is on the paper: one scale for all views.
struct Sheet<V> {
    /// The box around all that has an end, with some air.
    min: V,
    max: V,
    /// Pixels for each unit of length.
    scale: f64,
    /// The size of all views together.
    size: Point,
    /// Where the second column and the second row start.
    second: Point,
}

impl<V: Drawn> Sheet<V> {
    fn of(found: &CheckOf<V>) -> Self {
        let placed = found.items.iter().filter_map(|item| V::bounds(&item.shape, item.pose));
        let marks = found.clashes.iter().flat_map(|clash| [clash.point_first, clash.point_second]);
        let mut bounds: Option<[V; 2]> = None;
        for [min, max] in placed.chain(marks.map(|point| [point, point])) {
            if Vector::finite(min) && Vector::finite(max) {
                bounds = Some(match bounds {
                    None => [min, max],
                    Some(all) => [all[0].min_by_axis(min), all[1].max_by_axis(max)],
                });
            }
        }
        let [min, max] = bounds.unwrap_or([-V::splat(1.0), V::splat(1.0)]);
        // What is flat still needs some paper.
        let longest = match (max - min).max_abs() {
            longest if 0.0 < longest && longest < f64::MAX => longest,
            longest => {
                if longest == 0.0 {
                    1.0
                } else {
                    f64::MAX
                }
            }
        };
        let air = (max - min).map(|length| larger(0.04 * longest, 0.5 * (0.2 * longest - length)));
        let (min, max) = (min - air, max + air);
        let size = max - min;
        let along = |axis: usize| if axis < V::DIM { size.get(axis) } else { 0.0 };
        // In space, x and −z lie side by side, and −z and y one above the other.
        let [wide, high] = [along(0) + along(2), along(1) + along(2)];
        let room = |axis: usize| ROOM[axis] - 3.0 * MARGIN;
        let scale = [room(0) / wide, room(1) / high, f64::MAX]
            .into_iter()
            .fold(f64::MAX, |least, scale| if scale < least { scale } else { least });
        let is_space = V::DIM == 3;
        let second = [2.0 * MARGIN + along(0) * scale, 2.0 * MARGIN + along(2) * scale];
        let first_row = if is_space { second[1] } else { MARGIN };
        let size = [
            if is_space { second[0] + along(2) * scale } else { MARGIN + along(0) * scale } + MARGIN,
            first_row + along(1) * scale + MARGIN,
        ];
        Sheet { min, max, scale, size: size.map(finite), second: second.map(finite) }
    }

    /// The frame of a view on the paper: left, top, width, height.
    fn frame(&self, view: &View) -> [f64; 4] {
        let start = |axis: usize| if view.cell[axis] == 0 { MARGIN } else { self.second[axis] };
        let [right, up] = view.axes();
        let length = |axis: usize| finite((self.max.get(axis) - self.min.get(axis)) * self.scale);
        [start(0), start(1), length(right), length(up)]
    }

    /// A seen point on the paper.
    fn at(&self, view: &View, point: Point) -> Point {
        let [left, top, _, height] = self.frame(view);
        let (one, other) = (view.seen(self.min), view.seen(self.max));
        // An axis may run to the left or down.
        let least = [smaller(one[0], other[0]), smaller(one[1], other[1])];
        let x = left + (point[0] - least[0]) * self.scale;
        let y = top + height - (point[1] - least[1]) * self.scale;
        [finite(x), finite(y)]
    }
}

fn draw_view<V: Drawn>(
    svg: &mut String,
    found: &CheckOf<V>,
    colours: &BTreeMap<usize, &'static str>,
    sheet: &Sheet<V>,
    view: &View,
    points: &mut usize,
) {
    let frame @ [left, top, width, height] = sheet.frame(view);
    let clip = format!("view{}{}", view.cell[0], view.cell[1]);
    let [right, up] = view.names();
    let _ = writeln!(
        svg,
        "<clipPath id=\"{clip}\"><rect x=\"{left:.2}\" y=\"{top:.2}\" width=\"{width:.2}\" height=\"{height:.2}\"/></clipPath>\n\
         <rect x=\"{left:.2}\" y=\"{top:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" fill=\"#fafafa\" stroke=\"#ccc\"/>\n\
         <text x=\"{left:.2}\" y=\"{:.2}\" fill=\"#666\" font-size=\"12\">{}{right} →, {up} ↑</text>",
        top - 6.0,
        if V::DIM == 2 { String::new() } else { format!("{}: ", view.title) },
    );
    let _ = writeln!(svg, "<g clip-path=\"url(#{clip})\" stroke-linejoin=\"round\">");
    // Those that clash lie on top.
    let others = (0..found.items.len()).filter(|item| !colours.contains_key(item));
    let kept = MOST_ITEMS.saturating_sub(colours.len());
    for item in others.take(kept).chain(colours.keys().copied().take(MOST_ITEMS)) {
        let Some(drawn) = found.items.get(item) else { continue };
        let mut strokes = Vec::new();
        V::sketch(&drawn.shape, drawn.pose, view, *points < MOST_POINTS, &mut strokes);
        let colour = colours.get(&item).copied();
        let (colour, fill, line) =
            (colour.unwrap_or("#888"), if colour.is_some() { 0.25 } else { 0.12 }, 1.0);
        let _ = writeln!(
            svg,
            "<g fill=\"{colour}\" fill-opacity=\"{fill}\" stroke=\"{colour}\" stroke-width=\"{line}\"><title>{}</title>",
            escaped(&drawn.name)
        );
        for stroke in &strokes {
            *points += draw_stroke(svg, stroke, sheet, view, frame);
        }
        svg.push_str("</g>\n");
    }
    svg.push_str("</g>\n");
    marks(svg, &found.clashes, sheet, view);
}

/// Draws one stroke, and tells how many points it took.
fn draw_stroke<V: Drawn>(
    svg: &mut String,
    stroke: &Stroke,
    sheet: &Sheet<V>,
    view: &View,
    frame: [f64; 4],
) -> usize {
    let half;
    let (paths, end, attributes) = match stroke {
        Stroke::Area { loops, has_rim: true } => (loops.as_slice(), "Z", ""),
        Stroke::Area { loops, has_rim: false } => (loops.as_slice(), "Z", " stroke=\"none\""),
        Stroke::Lines(lines) => (lines.as_slice(), "", " fill=\"none\""),
        Stroke::Half { normal, offset } => {
            half = [clipped_half(*normal, *offset, sheet, view, frame)];
            (half.as_slice(), "Z", "")
        }
    };
    let is_paper = matches!(stroke, Stroke::Half { .. });
    let mut path = String::new();
    let mut count = 0;
    for points in paths {
        for (index, &point) in points.iter().enumerate() {
            let [x, y] = if is_paper { point } else { sheet.at(view, point) };
            let _ = write!(path, "{}{x:.1} {y:.1}", if index == 0 { 'M' } else { 'L' });
        }
        count += points.len();
        if !points.is_empty() {
            path.push_str(end);
        }
    }
    if !path.is_empty() {
        let _ = writeln!(svg, "<path d=\"{path}\"{attributes}/>");
    }
    count
}

/// The part of the frame, a little larger, that a half-plane covers, on the paper.
fn clipped_half<V: Drawn>(
    normal: Point,
    offset: f64,
    sheet: &Sheet<V>,
    view: &View,
    [left, top, width, height]: [f64; 4],
) -> Vec<Point> {
    // On the paper y runs down; a point of the edge and the normal are enough.
    let foot = sheet.at(view, [normal[0] * offset, normal[1] * offset]);
    let outside = |[x, y]: Point| normal[0] * (x - foot[0]) - normal[1] * (y - foot[1]);
    let (near, far) = ([left - 9.0, top - 9.0], [left + width + 9.0, top + height + 9.0]);
    let corners = [near, [far[0], near[1]], far, [near[0], far[1]]];
    let mut kept = Vec::new();
    for (index, &from) in corners.iter().enumerate() {
        let to = corners[(index + 1) % 4];
        let (here, there) = (outside(from), outside(to));
        if here <= 0.0 {
            kept.push(from);
        }
        if (here <= 0.0) != (there <= 0.0) {
            let share = here / (here - there);
            kept.push([from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]);
        }
    }
    kept
}

/// The numbered marks. Each number looks for a free place near its point.
fn marks<V: Drawn>(svg: &mut String, clashes: &[Clash<V>], sheet: &Sheet<V>, view: &View) {
    const RADIUS: f64 = 9.0;
    let mut taken: Vec<Point> = Vec::new();
    for (index, clash) in clashes.iter().take(MOST_MARKS).enumerate() {
        let [a, b] = [clash.point_first, clash.point_second].map(|point| sheet.at(view, view.seen(point)));
        let colour = colour_of(clash.kind);
        let spot = [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])];
        let _ = writeln!(
            svg,
            "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"{colour}\" stroke-width=\"3\" stroke-linecap=\"round\"/>",
            a[0], a[1], b[0], b[1]
        );
        let is_free = |place: &Point| {
            taken
                .iter()
                .all(|other| 2.0 * RADIUS <= larger((place[0] - other[0]).abs(), (place[1] - other[1]).abs()))
        };
        let rings = [24.0, 44.0, 64.0, 84.0].into_iter().flat_map(|reach| {
            [
                [0.7, -0.7],
                [0.7, 0.7],
                [-0.7, -0.7],
                [-0.7, 0.7],
                [1.0, 0.0],
                [-1.0, 0.0],
                [0.0, -1.0],
                [0.0, 1.0],
            ]
            .map(|[x, y]| [spot[0] + reach * x, spot[1] + reach * y])
        });
        let [x, y] = rings.into_iter().find(is_free).unwrap_or(spot);
        taken.push([x, y]);
        let _ = writeln!(
            svg,
            "<path d=\"M{:.1} {:.1}L{x:.1} {y:.1}\" stroke=\"{colour}\"/>{}",
            spot[0],
            spot[1],
            numbered(index + 1, [x, y], colour)
        );
    }
}

/// A disc with a number.
fn numbered(number: usize, [x, y]: Point, colour: &str) -> String {
    format!(
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"9\" fill=\"{colour}\"/>\
         <text x=\"{x:.1}\" y=\"{:.1}\" fill=\"white\" font-size=\"{}\" font-weight=\"bold\" text-anchor=\"middle\">{number}</text>",
        y + 4.0,
        if number < 100 { 11 } else { 8 },
    )
}

/// What the numbers and colours mean.
fn legend<V: Drawn>(
    svg: &mut String,
    found: &CheckOf<V>,
    colours: &BTreeMap<usize, &'static str>,
    left: f64,
) {
    let name =
        |item: usize| found.items.get(item).map_or(String::new(), |item| escaped(&short(&item.name, 22)));
    let mut y = MARGIN;
    let mut row = |svg: &mut String, mark: &dyn Fn(f64) -> String, text: &str| {
        let _ = writeln!(
            svg,
            "{}<text x=\"{:.1}\" y=\"{:.1}\" fill=\"#222\">{text}</text>",
            mark(y),
            left + 24.0,
            y + 4.0
        );
        y += ROW;
    };
    let bare = |_: f64| String::new();
    let title = match found.clashes.len() {
        0 => "nothing clashes".to_owned(),
        1 => "1 clash".to_owned(),
        count => format!("{count} clashes"),
    };
    let left_out = found.items.len().saturating_sub(MOST_ITEMS);
    let drawn = if left_out == 0 { String::new() } else { format!(", {left_out} not drawn") };
    row(svg, &bare, &format!("{title} among {} items{drawn}", found.items.len()));
    for (index, clash) in found.clashes.iter().take(MOST_ROWS).enumerate() {
        let mark = |y: f64| numbered(index + 1, [left + 9.0, y], colour_of(clash.kind));
        let amount = match clash.kind {
            ClashKind::Near => format!(" by {}", digits(clash.distance)),
            ClashKind::Touching => String::new(),
            _ => format!(" by {}", digits(clash.depth)),
        };
        let [first, second] = [name(clash.first), name(clash.second)];
        row(svg, &mark, &format!("{}{amount}: {first}, {second}", words(clash.kind)));
    }
    if let more @ 1.. = found.clashes.len().saturating_sub(MOST_ROWS) {
        row(svg, &bare, &format!("and {more} more, which the table has"));
    }
    row(svg, &bare, "");
    for (&item, colour) in colours.iter().take(MOST_ROWS) {
        let mark = |y: f64| {
            format!(
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"16\" height=\"12\" fill=\"{colour}\" fill-opacity=\"0.4\" stroke=\"{colour}\"/>",
                left + 1.0,
                y - 6.0
            )
        };
        let named = found.items.get(item).map_or(String::new(), |item| escaped(&short(&item.name, 50)));
        row(svg, &mark, &named);
    }
    if let more @ 1.. = colours.len().saturating_sub(MOST_ROWS) {
        row(svg, &bare, &format!("and {more} more items"));
    }
}

fn colour_of(kind: ClashKind) -> &'static str {
    match kind {
        ClashKind::Near => "#1f77b4",
        ClashKind::Touching => "#e08a00",
        _ => "#d62728",
    }
}

/// How they clash, in words.
fn words(kind: ClashKind) -> &'static str {
    match kind {
        ClashKind::FirstInside => "first inside second",
        ClashKind::SecondInside => "second inside first",
        other => other.name(),
    }
}

/// The end of a long name says more than its beginning: files of one folder differ there.
fn short(name: &str, most: usize) -> String {
    let count = name.chars().count();
    if count <= most {
        name.to_owned()
    } else {
        format!("…{}", name.chars().skip(count + 1 - most).collect::<String>())
    }
}

/// Text in an SVG document; characters that XML cannot hold are replaced.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    safe
}

/// Four digits.
fn digits(x: f64) -> String {
    let rounded: f64 = format!("{x:.3e}").parse().unwrap_or(x);
    let (plain, power) = (format!("{rounded}"), format!("{rounded:e}"));
    if plain.len() <= 8 { plain } else { power }
}

fn larger(a: f64, b: f64) -> f64 {
    if a < b { b } else { a }
}

fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}
