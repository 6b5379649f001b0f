/// A rectangle on the canvas, in pixels.
struct Frame {
    let x, y, width, height: Double
    var right: Double { x + width }
    var bottom: Double { y + height }
}

/// A linear map from values to pixels.
struct Axis {
    let low, high, start, end: Double
    func callAsFunction(_ value: Double) -> Double { start + (value - low) / (high - low) * (end - start) }
    /// The value kept within the axis.
    func clamped(_ value: Double) -> Double { self(min(max(value, low), high)) }
}
