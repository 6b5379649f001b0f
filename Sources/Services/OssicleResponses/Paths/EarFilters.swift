import OssicleCore
import OssicleDSP

/// What a head makes of a wave from one direction.
struct EarFilters: Sendable {
    /// Left and right.
    let taps: [[Float]]
    /// Samples by which the wave is at each ear later than in the middle of the head; may be negative.
    let lags: [Double]

    /// - Parameter direction: unit, right, up, back of the head.
    init(_ head: HeadFilters, _ direction: Vector) {
        let count = head.tapCount
        var (left, right) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
        let delays = head.table.interpolate(SIMD3<Float>(direction), left: &left, right: &right)
        taps = [left, right]
        lags = [delays.left, delays.right].map { Double($0 - head.table.frontDelay) }
    }
}
