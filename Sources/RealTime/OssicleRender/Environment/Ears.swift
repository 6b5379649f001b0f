import OssicleCore
import OssicleDSP

/// A head as it is heard with: measured, or a sphere. Plain handles; whoever made the tables keeps them alive.
package enum Ears: BitwiseCopyable, @unchecked Sendable {
    case measured(HeadTable)
    case sphere(SphereTable)

    /// Where a sound is, seen from the head.
    struct Place: BitwiseCopyable, Equatable {
        /// x right, y up, z back; any length.
        var direction: SIMD3<Float>
        /// Metres.
        var distance: Float
        /// How far it has come into the head, 0 … 1: there, both ears hear it alike and nothing is in the way.
        var inside: Float
    }

    var tapCount: Int {
        switch self {
        case .measured(let table): table.tapCount
        case .sphere(let table): table.tapCount
        }
    }

    /// - Parameters:
    ///   - left, right: room for `tapCount` taps each.
    /// - Returns: delay of each ear in frames; what both have in common is left out, so the ear that hears first waits for nothing.
    func interpolate(_ place: Place, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) -> (left: Double, right: Double) {
        let delays = switch self {
        case .measured(let table): table.interpolate(place.direction, left: left, right: right)
        case .sphere(let table): table.interpolate(place.direction, distance: place.distance, left: left, right: right)
        }
        let outside = 1 - min(max(place.inside, 0), 1)
        if outside < 1 {
            fade(left, outside)
            fade(right, outside)
        }
        let common = min(delays.left, delays.right)
        return (Double((delays.left - common) * outside), Double((delays.right - common) * outside))
    }

    /// Towards a filter that does nothing.
    private func fade(_ taps: UnsafeMutablePointer<Float>, _ outside: Float) {
        for k in 0..<tapCount { taps[k] *= outside }
        taps[0] += 1 - outside
    }
}
