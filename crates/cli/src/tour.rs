//! What `carom` shows on its own: scenes with pictures of how they ended, and questions of every kind, answered on the
//! spot.

use crate::run::{Progress, draw, stages};
use carom_scene::builtin;
use carom_scene::query::{Options, answer_line, field};
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

/// The scenes of the tour, and for how many steps they run: a few seconds in all.
const SCENES: [(&str, usize); 8] = [
    ("2d/card_house", 120),
    ("2d/arch", 120),
    ("2d/double_domino", 120),
    ("2d/compounds", 120),
    ("2d/smash", 100),
    ("3d/jolt_pyramid", 60),
    ("3d/convex_pile", 90),
    ("3d/washer", 45),
];

/// Where the pictures go.
const FOLDER: &str = "carom-out";

/// A question in words and as it is asked, and how its answer reads: `{name}` stands for a field.
struct Stop {
    words: &'static str,
    line: &'static str,
    answer: &'static str,
}

const fn stop(words: &'static str, line: &'static str, answer: &'static str) -> Stop {
    Stop { words, line, answer }
}

/// What the answer `null` reads as.
const NOTHING: &str = "no";

const STOPS: &[(&str, &[Stop])] = &[
    (
        "Questions in the plane (2D)",
        &[
            stop(
                "Do a square and a disc touch when their edges just meet?",
                r#"{"op": "intersects", "dim": 2, "a": {"type": "cuboid", "half_extents": [1, 1]}, "b": {"type": "ball", "radius": 1}, "pose_b": {"translation": [2, 0]}}"#,
                "{intersects}",
            ),
            stop(
                "How far is a square that stands on its tip from a disc?",
                r#"{"op": "distance", "dim": 2, "a": {"type": "cuboid", "half_extents": [1, 1]}, "pose_a": {"angle": 0.78539816339744831}, "b": {"type": "ball", "radius": 0.5}, "pose_b": {"translation": [3, 0]}}"#,
                "{distance}, from {point_a} to {point_b}",
            ),
            stop(
                "How deep has a square sunk into the ground?",
                r#"{"op": "contact", "dim": 2, "a": {"type": "half_space", "normal": [0, 1], "offset": 0}, "b": {"type": "cuboid", "half_extents": [1, 1]}, "pose_b": {"translation": [0, 0.75]}}"#,
                "{depth}; {normal} is the way out",
            ),
            stop(
                "Where does a triangle come closest to the point (3, 3)?",
                r#"{"op": "closest_point", "dim": 2, "shape": {"type": "triangle", "a": [0, 0], "b": [2, 0], "c": [0, 2]}, "point": [3, 3]}"#,
                "at {point}, {distance} away",
            ),
            stop(
                "Where does a ray from the left meet a capsule?",
                r#"{"op": "ray", "dim": 2, "shape": {"type": "capsule", "a": [0, -1], "b": [0, 1], "radius": 0.5}, "origin": [-4, 0.5], "direction": [1, 0]}"#,
                "at {point} after {t}, on a side that faces {normal}",
            ),
            stop(
                "Is a disc in the gap of a U-shaped outline free?",
                r#"{"op": "closest_point", "dim": 2, "shape": {"type": "outline", "points": [[0, 0], [3, 0], [3, 3], [2, 3], [2, 1], [1, 1], [1, 3], [0, 3]]}, "point": [1.5, 2]}"#,
                "up to a radius of {distance}",
            ),
            stop(
                "When does a falling disc hit the ground?",
                r#"{"op": "cast", "dim": 2, "a": {"type": "ball", "radius": 1}, "pose_a": {"translation": [0, 5]}, "velocity_a": [1, -8], "b": {"type": "half_space", "normal": [0, 1], "offset": 0}, "velocity_b": [0, 0]}"#,
                "at t = {t}, at {point}",
            ),
            stop(
                "Where do the diagonals of a square cross?",
                r#"{"op": "lines", "dim": 2, "a": {"kind": "segment", "a": [0, 0], "b": [2, 2]}, "b": {"kind": "segment", "a": [0, 2], "b": [2, 0]}}"#,
                "{relation} at {point_a}, s = {s} and t = {t}",
            ),
            stop(
                "What is the smallest rectangle around a square on its tip?",
                r#"{"op": "fit", "dim": 2, "kind": "rectangle", "points": [[1, 0], [0, 1], [-1, 0], [0, -1]]}"#,
                "area {area}, half as much as along the axes",
            ),
            stop(
                "Which of six points are corners of their convex hull?",
                r#"{"op": "hull", "dim": 2, "points": [[1, 1], [2, 0], [1, 0], [0, 0], [2, 2], [0, 2]]}"#,
                "{points}",
            ),
            stop(
                "How much do two boxes of 2 by 2 share?",
                r#"{"op": "overlap_area", "dim": 2, "a": {"min": [0, 0], "max": [2, 2]}, "b": {"min": [1, 1.5], "max": [3, 3.5]}}"#,
                "an area of {area}",
            ),
            stop(
                "What happens when a billiard ball hits a resting one?",
                r#"{"op": "respond", "dim": 2, "velocity_a": [3, 0], "velocity_b": [0, 0], "mass_a": 2, "mass_b": 2, "normal": [1, 0], "restitution": 1, "friction": 0}"#,
                "it stops at {velocity_a}, the other takes over {velocity_b}",
            ),
        ],
    ),
    (
        "Questions in space (3D)",
        &[
            stop(
                "Does a segment pierce a triangle?",
                r#"{"op": "intersects", "a": {"type": "segment", "a": [0.25, 0.25, -1], "b": [0.25, 0.25, 1]}, "b": {"type": "triangle", "a": [0, 0, 0], "b": [1, 0, 0], "c": [0, 1, 0]}}"#,
                "{intersects}",
            ),
            stop(
                "How far is the corner of a cube from a ball?",
                r#"{"op": "distance", "a": {"type": "cuboid", "half_extents": [1, 1, 1]}, "b": {"type": "ball", "radius": 1}, "pose_b": {"translation": [2, 3, 3]}}"#,
                "{distance}, from {point_a} to {point_b}",
            ),
            stop(
                "How deep do crossing capsules overlap?",
                r#"{"op": "contact", "a": {"type": "capsule", "a": [-5, 0, 0], "b": [5, 0, 0], "radius": 1}, "b": {"type": "capsule", "a": [0, -5, 0.5], "b": [0, 5, 0.5], "radius": 1}}"#,
                "{depth}; {normal} is the way out",
            ),
            stop(
                "Does a ball 0.5 above the ground have a contact?",
                r#"{"op": "contact", "a": {"type": "half_space", "normal": [0, 1, 0], "offset": 0}, "b": {"type": "ball", "radius": 1}, "pose_b": {"translation": [0, 1.5, 0]}}"#,
                "yes, {depth} deep",
            ),
            stop(
                "How deep is the point (0, 0.75, 0) in a cylinder of height 2?",
                r#"{"op": "closest_point", "shape": {"type": "cylinder", "half_height": 1, "radius": 2}, "point": [0, 0.75, 0]}"#,
                "distance {distance}: {point} is the closest point outside",
            ),
            stop(
                "Where does a ray from above meet a cone?",
                r#"{"op": "ray", "shape": {"type": "cone", "half_height": 1, "radius": 1}, "origin": [0, 5, 0], "direction": [0, -2, 0]}"#,
                "at its tip {point}, at t = {t}",
            ),
            stop(
                "When do two balls that fly towards each other touch?",
                r#"{"op": "cast", "a": {"type": "ball", "radius": 1}, "velocity_a": [2, 0, 0], "b": {"type": "ball", "radius": 1}, "pose_b": {"translation": [5, 0, 0]}, "velocity_b": [-2, 0, 0]}"#,
                "at t = {t}, at {point}",
            ),
            stop(
                "How far apart are two skew lines?",
                r#"{"op": "lines", "a": {"kind": "line", "point": [0, 0, 0], "direction": [1, 0, 0]}, "b": {"kind": "line", "point": [3, 5, 2], "direction": [0, 1, 0]}}"#,
                "{distance}, between {point_a} and {point_b}",
            ),
            stop(
                "What is the smallest ball around four points?",
                r#"{"op": "fit", "kind": "ball", "points": [[3, 4, 0], [-5, 0, 0], [3, -4, 0], [0, 1, 2]]}"#,
                "radius {radius} around {center}",
            ),
            stop(
                "What are the faces of the hull of a tetrahedron?",
                r#"{"op": "hull", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.125, 0.125, 0.125]]}"#,
                "{faces}",
            ),
            stop(
                "How heavy is a brick of 2 by 4 by 6 with density 0.5?",
                r#"{"op": "mass", "shape": {"type": "cuboid", "half_extents": [1, 2, 3]}, "density": 0.5}"#,
                "{mass}, with the inertia {inertia}",
            ),
            stop(
                "How much do two boxes share that merely touch?",
                r#"{"op": "overlap_area", "a": {"min": [0, 0, 0], "max": [1, 1, 1]}, "b": {"min": [1, 0, 0], "max": [2, 1, 1]}}"#,
                "a volume of {volume}",
            ),
            stop(
                "How does a ball bounce off a rough floor?",
                r#"{"op": "respond", "velocity_a": [10, -4, 0], "velocity_b": [0, 0, 0], "mass_a": 2, "mass_b": 0, "normal": [0, -1, 0], "restitution": 0.5, "friction": 0.25}"#,
                "with velocity {velocity_a}, by an impulse of {impulse}",
            ),
        ],
    ),
];

/// A line to try, which is also answered by a test.
const TRY: &str = r#"{"op": "distance", "a": {"type": "ball", "radius": 1}, "b": {"type": "cuboid", "half_extents": [1, 1, 1]}, "pose_b": {"translation": [4, 0, 0]}}"#;

/// Gives the tour.
///
/// # Errors
/// When a picture or the text cannot be written. A reader that has gone away is no error.
pub(crate) fn run(output: &mut impl Write) -> Result<ExitCode, String> {
    let begin = "Carom: do these things touch, where, how deep, when - and what happens then?\n\n\
                 Scenes, stepped at 60 Hz\n";
    let done = write(output, begin)?
        && scenes(output)?
        && write(output, &questions())?
        && write(output, &what_next())?;
    // Whoever has gone away needs no rest.
    let _ = done;
    Ok(ExitCode::SUCCESS)
}

/// Whether there is still somebody who reads.
fn write(output: &mut impl Write, text: &str) -> Result<bool, String> {
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(format!("cannot write: {error}")),
    }
}

/// Runs the scenes, each with a line of figures and a picture.
fn scenes(output: &mut impl Write) -> Result<bool, String> {
    let head = ["scene", "bodies", "contacts", "steps", "ms/step", "overlap"];
    let [scene, bodies, contacts, steps, time, overlap] = head;
    let mut goes_on = write(
        output,
        &format!("  {scene:<16} {bodies:>7} {contacts:>9} {steps:>6} {time:>8} {overlap:>9}  picture\n"),
    )?;
    for (name, steps) in SCENES {
        let failed = |error: String| format!("{name}: {error}");
        let scene = builtin::find(name).ok_or_else(|| failed("there is no such scene".to_owned()))?;
        let mut running = scene.start().map_err(|error| failed(error.to_string()))?;
        running.set_timed(true);
        let mut progress = Progress::new(name, steps);
        for step in 0..steps {
            running.step().map_err(|error| failed(error.to_string()))?;
            progress.show(step + 1);
        }
        progress.clear();
        let picture = draw(&running, name, Path::new(FOLDER))?;
        let (time, statistics) = (stages(&running)[0].1, running.statistics());
        let (bodies, contacts) = (statistics.bodies, statistics.contacts);
        let (overlap, picture) = (format!("{:.1} mm", 1e3 * statistics.deepest), picture.display());
        let line = format!(
            "  {name:<16} {bodies:>7} {contacts:>9} {steps:>6} {time:>8.3} {overlap:>9}  {picture}\n"
        );
        goes_on = goes_on && write(output, &line)?;
        if !goes_on {
            break;
        }
    }
    Ok(goes_on)
}

fn questions() -> String {
    let mut text = String::new();
    let width = STOPS.iter().flat_map(|(_, stops)| *stops).map(|stop| stop.words.len()).max().unwrap_or(0);
    for (title, stops) in STOPS {
        text += &format!("\n{title}\n");
        for stop in *stops {
            text += &format!("  {:<width$}  {}\n", stop.words, stop.answered());
        }
    }
    text
}

fn what_next() -> String {
    let program = program();
    format!(
        "\nTry:\n  {program} run --list                                       more scenes\n  \
         {program} run 2d/large_pyramid --record pyramid.carom      one of them, written down\n  \
         {program} replay pyramid.carom                             the same bits again?\n  \
         echo '{TRY}' | {program} query\n\n{program} query --help lists what can be asked.\n"
    )
}

/// The name that the program was started by, so that what is shown can be pasted back.
fn program() -> String {
    std::env::args()
        .next()
        .filter(|name| !name.contains(char::is_whitespace))
        .unwrap_or_else(|| "carom".into())
}

impl Stop {
    /// The answer in words.
    fn answered(&self) -> String {
        let mut output = Vec::new();
        answer_line(self.line.as_bytes(), 1, Options::default(), &mut output);
        let output = String::from_utf8_lossy(&output);
        match field(&output, "answer") {
            Some("null") => NOTHING.to_owned(),
            Some(answer) => fill(self.answer, answer),
            None => field(&output, "error").unwrap_or_default().to_owned(),
        }
    }
}

/// Puts the fields of an answer in the places of their names.
fn fill(template: &str, answer: &str) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, (name, after))) =
        rest.split_once('{').and_then(|(before, open)| Some((before, open.split_once('}')?)))
    {
        text += before;
        text += &neat(field(answer, name).unwrap_or_default());
        rest = after;
    }
    text + rest
}

/// Numbers with four decimals at most, vectors with spaces, truth as yes or no, strings without quotes.
fn neat(value: &str) -> String {
    let shorten = |part: &str| match part.parse::<f64>() {
        // The sum has no negative zero.
        Ok(number) => ((number * 1e4).round() / 1e4 + 0.0).to_string(),
        Err(_) if part == "true" => "yes".to_owned(),
        Err(_) if part == "false" => "no".to_owned(),
        Err(_) => part.trim_matches('"').to_owned(),
    };
    let separated = value.replace(',', ", ");
    separated
        .split_inclusive(['[', ']', ',', ' '])
        .map(|part| {
            let end = part.len()
                - part.chars().next_back().filter(|last| "[], ".contains(*last)).map_or(0, char::len_utf8);
            shorten(&part[..end]) + &part[end..]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stop_is_answered() {
        for stop in STOPS.iter().flat_map(|(_, stops)| *stops) {
            let mut output = Vec::new();
            let answered = answer_line(stop.line.as_bytes(), 1, Options::default(), &mut output);
            assert!(answered, "{}: {}", stop.words, String::from_utf8_lossy(&output));
        }
    }

    #[test]
    fn the_line_to_try_is_answered() {
        assert!(answer_line(TRY.as_bytes(), 1, Options::default(), &mut Vec::new()));
    }

    #[test]
    fn numbers_are_shortened_and_words_kept() {
        assert_eq!(neat("[1.23456789,-0.5,-1e-9]"), "[1.2346, -0.5, 0]");
        assert_eq!(neat("2"), "2");
        assert_eq!(neat("\"crossing\""), "crossing");
        assert_eq!(neat("true"), "yes");
        assert_eq!(fill("at {t} on {point}.", r#"{"t":0.5,"point":[1,2]}"#), "at 0.5 on [1, 2].");
    }
}
