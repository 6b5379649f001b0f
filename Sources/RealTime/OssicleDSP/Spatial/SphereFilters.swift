import OssicleCore
import Synchronization

/// The spherical head ready to render at one sample rate: made on the control side, kept alive there while renderers
/// read `table`.
package final class SphereFilters: Sendable {
    /// What renderers hold: a pointer into this object's memory.
    package let table: SphereTable

    package init(sampleRate: Double) { table = SphereTable(sampleRate: sampleRate) }

    deinit { table.deallocate() }

    /// The spherical head at an engine's sample rate, made once and kept for good.
    package static func shared(sampleRate: Double) -> SphereFilters {
        if let made = made.withLock({ $0[sampleRate] }) { return made }
        let head = SphereFilters(sampleRate: sampleRate)
        return made.withLock { heads in
            let kept = heads[sampleRate] ?? head
            heads[sampleRate] = kept
            return kept
        }
    }

    private static let made = Mutex<[Double: SphereFilters]>([:])
}

/// What a rigid sphere with an ear at either side makes of a direction.
///
/// Its shadow depends on nothing but the angle between source and ear, so one row of filters serves both ears: minimum
/// phase, every 5°, for a source far away (1.5 m) and one at 0.25 m, after `RigidSphere`. The delays are Woodworth's,
/// in closed form.
package struct SphereTable: BitwiseCopyable, @unchecked Sendable {
    /// Computed, because the audio thread reads it: a lazy static takes a lock.
    private static var step: Double { DeterministicMath.pi / 36 }
    private static let angleCount = 37
    private static let distances = [1.5, 0.25]
    /// The table ends here; magnitudes are held beyond, where they no longer change audibly.
    private static let highest = 24_000.0
    private static let bins = 512

    /// A multiple of 16.
    package let tapCount: Int
    private let sampleRate: Double
    private let taps: UnsafeMutablePointer<Float>

    fileprivate init(sampleRate: Double) {
        self.sampleRate = sampleRate.isFinite ? min(max(sampleRate, 8000), 384_000) : 48_000
        tapCount = Int(self.sampleRate / 48_000 * 128 + 15) / 16 * 16
        taps = .allocate(capacity: Self.distances.count * Self.angleCount * tapCount)
        for (row, distance) in Self.distances.enumerated() { fill(row, distance) }
    }

    fileprivate func deallocate() { taps.deallocate() }

    private func fill(_ row: Int, _ distance: Double) {
        let spheres = (0...Self.bins).map { bin in
            RigidSphere(
                frequency: min(max(Double(bin) / Double(Self.bins) * sampleRate / 2, 20), Self.highest),
                distance: distance)
        }
        for index in 0..<Self.angleCount {
            let logs = spheres.map { DeterministicMath.log($0.magnitude(angle: Double(index) * Self.step)) }
            filter(row, index).update(from: MinimumPhase.taps(logs, count: tapCount), count: tapCount)
        }
    }

    private func filter(_ row: Int, _ index: Int) -> UnsafeMutablePointer<Float> {
        taps + (row * Self.angleCount + index) * tapCount
    }

    /// Filters of both ears for a direction (head frame: x right, y up, z back; any length; zero or NaN is front). For
    /// the audio thread.
    ///
    /// - Parameters:
    ///   - distance: metres. From 1 m on the source is far away; nearer it grows together with the sphere's near field,
    ///     whole at 0.25 m.
    ///   - left, right: room for `tapCount` taps each.
    /// - Returns: delay of each ear in frames, 0 at the nearer one.
    package func interpolate(
        _ direction: SIMD3<Float>, distance: Float, left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>
    ) -> (left: Float, right: Float) {
        let toRight = DeterministicMath.pi / 2 - HeadDirection.lateralAngle(HeadDirection.unit(direction))
        let toLeft = DeterministicMath.pi - toRight
        let distance = distance.isFinite ? max(Double(distance), SphericalHead.radius) : 1
        let nearness = min(max((1 / distance - 1) / 3, 0), 1)
        mix(toLeft, nearness, into: left)
        mix(toRight, nearness, into: right)
        let (l, r) = (path(toLeft, distance, nearness), path(toRight, distance, nearness))
        let frames = sampleRate / 343
        return (Float((l - min(l, r)) * frames), Float((r - min(l, r)) * frames))
    }

    /// Metres to an ear beyond those to the centre of the head.
    private func path(_ angle: Double, _ distance: Double, _ nearness: Double) -> Double {
        let radius = SphericalHead.radius
        let far =
            angle < DeterministicMath.pi / 2
            ? -radius * DeterministicMath.cos(angle) : radius * (angle - DeterministicMath.pi / 2)
        guard nearness > 0 else { return far }
        return far + (SphericalHead.pathToEar(distance: distance, angle: angle) - distance - far) * nearness
    }

    private func mix(_ angle: Double, _ nearness: Double, into output: UnsafeMutablePointer<Float>) {
        let place = min(max(angle / Self.step, 0), Double(Self.angleCount - 1))
        let index = min(Int32(place), Int32(Self.angleCount - 2))
        let (t, w) = (Float(place - Double(index)), Float(nearness))
        let (far, near) = (filter(0, Int(index)), filter(1, Int(index)))
        for k in 0..<tapCount {
            let here = far[k] + (far[k + tapCount] - far[k]) * t
            let close = near[k] + (near[k + tapCount] - near[k]) * t
            output[k] = here + (close - here) * w
        }
    }
}
