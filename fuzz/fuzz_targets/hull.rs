//! Hulls of any points: every point is inside or on every face, and the hull of the hull is the hull.
#![no_main]

use carom_fuzz::Bytes;
use carom_geometry::{Error, d2, d3};
use carom_math::{Vec2, Vec3};
use carom_oracle::rational::{ExactPoint, Rational, V};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let mut bytes = Bytes::new(input);
    if bytes.below(2) == 0 { plane(&bytes.points(24)) } else { space(&bytes.points(24)) }
});

fn is_refusal(error: &Error) -> bool {
    matches!(error, Error::NotFinite { .. } | Error::Overflow { .. })
}

fn plane(points: &[[f64; 2]]) {
    let given: Vec<_> = points.iter().map(|&p| Vec2::from(p)).collect();
    match d2::convex_hull(&given) {
        Ok(ring) => {
            let corners: Vec<V<2>> = ring.iter().map(|&index| points[index].to_exact()).collect();
            for (i, p) in corners.iter().enumerate() {
                let along = &corners[(i + 1) % corners.len()] - p;
                for q in points {
                    let to = &q.to_exact() - p;
                    let side = &along.0[0] * &to.0[1] - &along.0[1] * &to.0[0];
                    assert!(Rational::ZERO <= side, "{points:?} {ring:?}");
                }
            }
        }
        Err(error) => assert!(is_refusal(&error), "{error}"),
    }
    if let Err(error) = d2::ConvexPolygon::from_hull(given) {
        assert!(is_refusal(&error), "{error}");
    }
}

fn space(points: &[[f64; 3]]) {
    let given: Vec<_> = points.iter().map(|&p| Vec3::from(p)).collect();
    match d3::convex_hull(&given) {
        Ok(hull) => check(points, &hull),
        Err(error) => assert!(is_refusal(&error), "{error}"),
    }
    if let Err(error) = d3::ConvexHull::new(given) {
        assert!(is_refusal(&error), "{error}");
    }
}

fn check(points: &[[f64; 3]], hull: &d3::Hull) {
    let exact: Vec<V<3>> = points.iter().map(ExactPoint::to_exact).collect();
    let corner = |position: usize| &exact[hull.vertices[position]];
    for &[a, b, c] in &hull.triangles {
        let normal = (corner(b) - corner(a)).cross(&(corner(c) - corner(a)));
        assert!(!normal.is_zero(), "{points:?} {hull:?}");
        for q in &exact {
            let height = normal.dot(&(q - corner(a)));
            assert!(height <= Rational::ZERO, "{points:?} {hull:?}");
        }
    }
    // Euler: V − E + F = 2, the edges counted once for each side.
    if 2 <= hull.dimension {
        let sides: usize = hull.faces.iter().map(Vec::len).sum();
        assert_eq!(hull.vertices.len() + hull.faces.len(), sides / 2 + 2, "{points:?} {hull:?}");
        assert_eq!(sides % 2, 0);
    }
    let corners: Vec<_> = hull.vertices.iter().map(|&index| Vec3::from(points[index])).collect();
    let again = d3::convex_hull(&corners).expect("finite");
    assert_eq!((again.vertices.len(), &again.faces), (corners.len(), &hull.faces));
}
