#![allow(missing_docs, clippy::print_stdout, clippy::unwrap_used)]
use carom_dynamics::{Width, Settings};
use carom_geometry::{d2, d3};
fn pyramid2(n: usize) -> carom_dynamics::d2::World {
    use carom_dynamics::d2::*;
    let mut w = World::new();
    w.set_settings(Settings { sleep: false, ..Default::default() }).unwrap();
    w.add(Body::fixed().at([0.0, -1.0]).shape(d2::Cuboid::new([100.0, 1.0]).unwrap())).unwrap();
    for i in 0..n { for j in i..n {
        let x = 0.5 * (i + 1) as f32 + (j - i) as f32 - 0.5 * n as f32;
        w.add(Body::dynamic().at([x, i as f32 + 0.5]).shape(d2::Cuboid::new([0.5, 0.5]).unwrap())).unwrap();
    }}
    w
}
fn pyramid3(n: usize) -> carom_dynamics::d3::World {
    use carom_dynamics::d3::*;
    let mut w = World::new();
    w.set_settings(Settings { sleep: false, ..Default::default() }).unwrap();
    w.add(Body::fixed().at([0.0, -1.0, 0.0]).shape(d3::Cuboid::new([400.0, 1.0, 400.0]).unwrap())).unwrap();
    for i in 0..n { for j in i..n {
        let x = 0.5 * (i + 1) as f32 + (j - i) as f32 - 0.5 * n as f32;
        w.add(Body::dynamic().at([x, i as f32 + 0.5, 0.0]).shape(Collider::new(d3::Cuboid::new([0.5; 3]).unwrap()).density(100.0))).unwrap();
    }}
    w
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let n: usize = args.get(2).map_or(100, |s| s.parse().unwrap());
    let steps: usize = args.get(3).map_or(200, |s| s.parse().unwrap());
    let width = match args.get(4).map(String::as_str) { Some("1") => Width::Scalar, Some("4") => Width::Four, Some("8") => Width::Eight, _ => Width::Sixteen };
    macro_rules! go { ($w:expr) => {{
        let mut w = $w; w.set_width(width);
        w.step(1.0/60.0).unwrap();
        w.set_timed(true);
        for _ in 1..steps { w.step(1.0 / 60.0).unwrap(); }
        let t = w.timings(); let k = t.steps as f64;
        let ms = |d: std::time::Duration| d.as_secs_f64() * 1e3 / k;
        println!("{:?}", w.statistics());
        println!("total {:.3} pairs {:.3} collide {:.3} settle {:.3} prepare {:.3} solve {:.3} finish {:.3} sleep {:.3} hash {:016x}", ms(t.total), ms(t.pairs), ms(t.collide), ms(t.settle), ms(t.prepare), ms(t.solve), ms(t.finish), ms(t.sleep), w.hash());
        println!("colours {:?}", w.colour_sizes());
    }}}
    match args[1].as_str() { "2" => go!(pyramid2(n)), _ => go!(pyramid3(n)) }
}
