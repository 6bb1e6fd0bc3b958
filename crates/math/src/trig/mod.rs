//! placeholder
pub fn sin_cos_f32(x: f32) -> (f32, f32) {
    x.sin_cos()
}
pub fn sin_cos_f64(x: f64) -> (f64, f64) {
    x.sin_cos()
}
pub fn atan2_f32(y: f32, x: f32) -> f32 {
    y.atan2(x)
}
pub fn atan2_f64(y: f64, x: f64) -> f64 {
    y.atan2(x)
}
pub fn acos_f32(x: f32) -> f32 {
    x.acos()
}
pub fn acos_f64(x: f64) -> f64 {
    x.acos()
}
