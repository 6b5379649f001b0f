import OssicleCore

/// A smooth way through given points, walked at constant speed.
///
/// A uniform Catmull–Rom spline through the points, flattened to short chords and measured along them.
struct Walk: Sendable {
    let points: [Vector]
    private let lengths: [Double]

    init(through waypoints: [Vector]) {
        var points: [Vector] = []
        for i in 0..<max(waypoints.count - 1, 0) {
            let (b, c) = (waypoints[i], waypoints[i + 1])
            let a = i > 0 ? waypoints[i - 1] : b * 2 - c
            let d = i + 2 < waypoints.count ? waypoints[i + 2] : c * 2 - b
            for step in 0..<32 { points.append(Walk.spline(a, b, c, d, at: Double(step) / 32)) }
        }
        if let last = waypoints.last { points.append(last) }
        self.points = points
        var sum = 0.0
        lengths = points.indices.map { i in
            if i > 0 { sum += (points[i] - points[i - 1]).magnitude }
            return sum
        }
    }

    /// In metres.
    var length: Double { lengths.last ?? 0 }

    /// The place after `share` (0…1) of the way.
    func position(at share: Double) -> Vector {
        guard let first = points.first, let last = points.last else { return .zero }
        let wanted = min(max(share, 0), 1) * length
        guard let i = lengths.firstIndex(where: { $0 > wanted }) else { return last }
        guard i > 0 else { return first }
        let within = (wanted - lengths[i - 1]) / (lengths[i] - lengths[i - 1])
        return points[i - 1] + (points[i] - points[i - 1]) * within
    }

    private static func spline(_ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector, at t: Double) -> Vector {
        let linear = (c - a) * t
        let square = (a * 2 - b * 5 + c * 4 - d) * (t * t)
        let cube = ((b - c) * 3 + d - a) * (t * t * t)
        return b + (linear + square + cube) * 0.5
    }
}
