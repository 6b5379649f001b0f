import COssicle
import OssicleCore
import Synchronization

/// A head ready to render at one sample rate: made on the control side, kept alive there while renderers read `table`.
package final class HRTFFilters: Sendable {
    /// What renderers hold: pointers into this object’s memory. The caller keeps this object for as long as
    /// they play.
    package let table: HRTFTable
    package let sampleRate: Double

    /// The built-in head (KEMAR) at an engine's sample rate, 8…384 kHz.
    package convenience init(sampleRate: Double) throws(HRTFDataError) {
        guard (8000...384_000).contains(sampleRate) else { throw .unsupportedSampleRate(sampleRate) }
        self.init(try HRTFData.kemar(for: sampleRate).resampled(to: sampleRate))
    }

    /// A head from prepared data, at the data's own sample rate. Holes between directions are bridged; beyond the rim
    /// of a set that does not surround the head, its nearest directions are held.
    package init(_ data: HRTFData) {
        sampleRate = data.sampleRate
        table = HRTFTable(data)
    }

    deinit { table.deallocate() }

    package var tapCount: Int { table.tapCount }
}

/// A direction between three measured ones.
struct HRTFPlace: BitwiseCopyable {
    let corners: SIMD3<Int32>
    /// They add up to 1.
    let weights: SIMD3<Float>
    /// It lies on the other side of the head, whose ears change places.
    let isMirrored: Bool
    /// Of the mesh, to begin with where the next direction is looked for.
    let triangle: Int32
}

/// Minimum-phase filters and delays of a head over the triangulated sphere, for reading on the audio thread. A plain
/// handle, small enough for every voice to keep.
package struct HRTFTable: BitwiseCopyable, Equatable, @unchecked Sendable {
    fileprivate struct State: BitwiseCopyable {
        let number: Int
        let tapCount: Int
        let frontDelay: Float
        let leastDelay: Int
        let settling: Float
        let isLeftHalf: Bool
        let mesh: SphereMesh
        /// Per direction: left taps, then right taps.
        let taps: UnsafeMutablePointer<Float>
        /// Per direction: left and right, frames.
        let delays: UnsafeMutablePointer<SIMD2<Float>>
        /// Per direction: the taps as binaural voices use them.
        let spectra: UnsafeMutablePointer<Float>
        let transform: EarTransform
    }

    fileprivate let state: UnsafePointer<State>
    /// Compared by number: a new table may be allocated where an old one was.
    private let number: Int

    fileprivate init(_ state: UnsafePointer<State>) { (self.state, number) = (state, state.pointee.number) }

    fileprivate init(_ data: HRTFData) {
        let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
        state.initialize(to: State(data))
        self.init(UnsafePointer(state))
    }

    /// A multiple of 16.
    package var tapCount: Int { state.pointee.tapCount }
    /// Delay in frames of the direction straight ahead, equal to that of the head's centre but for the constant head
    /// start all delays carry to stay positive. A caller that knows the distance takes it off the time of flight.
    package var frontDelay: Float { state.pointee.frontDelay }
    /// Whole frames by which both ears are late in every direction, at least.
    package var leastDelay: Int { state.pointee.leastDelay }
    /// Time constant in frames with which a voice follows a moving direction: 5 ms.
    var settling: Float { state.pointee.settling }

    private var mesh: SphereMesh { state.pointee.mesh }
    private var transform: EarTransform { state.pointee.transform }

    /// The same table, not merely equal numbers.
    package static func == (a: HRTFTable, b: HRTFTable) -> Bool { a.number == b.number }

    fileprivate func deallocate() {
        mesh.deallocate()
        state.pointee.taps.deallocate()
        state.pointee.delays.deallocate()
        state.pointee.spectra.deallocate()
        state.deallocate()
    }

    /// Filters and delays for a direction (head frame: x right, y up, z back; any length; zero or NaN is front).
    ///
    /// Barycentric on the triangle of measured directions around it, taps and delays apart: raw responses interpolated
    /// linearly would comb (worse than taking the nearest one), aligned ones do not. Measured directions come out
    /// exactly. Reads memory and computes; for the audio thread.
    ///
    /// - Parameters: left, right: room for `tapCount` taps each.
    /// - Returns: delay of each ear in frames, ≥ 0.
    package func interpolate(
        _ direction: SIMD3<Float>, left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>
    ) -> (left: Float, right: Float) {
        let place = place(direction)
        mixTaps(place, ear: 0, into: place.isMirrored ? right : left)
        mixTaps(place, ear: 1, into: place.isMirrored ? left : right)
        return delays(at: place)
    }

    /// Where a direction lies among the measured ones (head frame; any length; zero or NaN is front).
    /// - Parameter last: a place that is probably near; it changes nothing but the time it takes.
    func place(_ direction: SIMD3<Float>, near last: HRTFPlace? = nil) -> HRTFPlace {
        var p = HeadDirection.unit(direction)
        let isMirrored = state.pointee.isLeftHalf && p.x > 0
        if isMirrored { p.x = -p.x }
        let found = mesh.locate(p, near: last?.triangle ?? -1)
        return HRTFPlace(
            corners: found.corners, weights: SIMD3<Float>(found.weights / found.weights.sum()), isMirrored: isMirrored,
            triangle: found.triangle)
    }

    /// Delay of each ear in frames, ≥ 0.
    func delays(at place: HRTFPlace) -> (left: Float, right: Float) {
        let both = HRTFTable.mix(place, state.pointee.delays)
        return place.isMirrored ? (both.y, both.x) : (both.x, both.y)
    }

    /// From filters `share` of the way to those of a place, which a share of 1 gives to the bit. Both are spectra of an
    /// `EarTransform` for `tapCount` taps.
    func approach(
        _ place: HRTFPlace, from start: UnsafePointer<Float>, _ share: Float, to end: UnsafeMutablePointer<Float>
    ) {
        let ear = transform.size
        for side in 0..<2 {
            let source = place.isMirrored ? (1 - side) * ear : side * ear
            withUnsafePointer(to: place.weights) { weights in
                weights.withMemoryRebound(to: Float.self, capacity: 3) {
                    ossicle_blend(
                        spectra(place.corners.x) + source, spectra(place.corners.y) + source,
                        spectra(place.corners.z) + source, $0, start + side * ear, share, end + side * ear, ear)
                }
            }
        }
    }

    /// For a kernel that does what `approach` does, in place.
    func way(to place: HRTFPlace, _ share: Float) -> ossicle_filter_way {
        let (corners, weights) = (place.corners, place.weights)
        return ossicle_filter_way(
            corners: (
                UnsafePointer(spectra(corners.x)), UnsafePointer(spectra(corners.y)), UnsafePointer(spectra(corners.z))
            ),
            weights: (weights.x, weights.y, weights.z), share: share, is_mirrored: place.isMirrored ? 1 : 0)
    }

    /// What `approach` will read of a place, from memory that voices elsewhere have pushed out of the nearest cache.
    func prefetch(_ place: HRTFPlace) {
        mesh.prefetch(place.triangle)
        for corner in 0..<3 { ossicle_prefetch(spectra(place.corners[corner]), transform.spectraCount) }
    }

    private func spectra(_ corner: Int32) -> UnsafeMutablePointer<Float> {
        state.pointee.spectra + Int(corner) * transform.spectraCount
    }

    private func mixTaps(_ place: HRTFPlace, ear: Int, into output: UnsafeMutablePointer<Float>) {
        let weights = place.weights
        let a = state.pointee.taps + (2 * Int(place.corners.x) + ear) * tapCount
        let b = state.pointee.taps + (2 * Int(place.corners.y) + ear) * tapCount
        let c = state.pointee.taps + (2 * Int(place.corners.z) + ear) * tapCount
        var k = 0
        while k < tapCount {
            output[k] = (weights.x * a[k] + weights.y * b[k]) + weights.z * c[k]
            k += 1
        }
    }

    fileprivate static func mix(_ place: HRTFPlace, _ values: UnsafeMutablePointer<SIMD2<Float>>) -> SIMD2<Float> {
        let weights = place.weights
        return (values[Int(place.corners.x)] * weights.x + values[Int(place.corners.y)] * weights.y) + values[
            Int(place.corners.z)] * weights.z
    }

    /// Directions in one plane through the centre, such as the rim of a set measured from above, make faces that belong
    /// to neither side: they are left out, and the rim is held. Half a sphere is closed by one more direction at the
    /// right ear, whose triangles are then left out: what remains ends exactly at the median plane, so that both sides
    /// are mirror images and the plane itself is the same in both ears.
    fileprivate static func mesh(of data: HRTFData) -> SphereMesh {
        let directions = data.directions.map(\.vector)
        guard data.isLeftHalf else {
            let faces = SphericalTriangulation(directions).triangles.filter { face in
                directions[Int(face.x)].dot(directions[Int(face.y)].cross(directions[Int(face.z)])) > 1e-6
            }
            return SphereMesh(directions: directions, corners: faces)
        }
        let apex = Int32(directions.count)
        let closed = SphericalTriangulation(directions + [Vector(1, 0, 0)])
        return SphereMesh(
            directions: directions, corners: closed.triangles.filter { $0.x != apex && $0.y != apex && $0.z != apex })
    }
}

extension HRTFTable.State {
    private static let count = Atomic(0)

    fileprivate init(_ data: HRTFData) {
        number = Self.count.add(1, ordering: .relaxed).newValue
        tapCount = (max(data.tapCount, 1) + 15) / 16 * 16
        settling = Float(data.sampleRate * 0.005)
        isLeftHalf = data.isLeftHalf
        mesh = HRTFTable.mesh(of: data)
        let count = max(data.directions.count, 1)
        taps = .allocate(capacity: count * 2 * tapCount)
        taps.initialize(repeating: 0, count: count * 2 * tapCount)
        delays = .allocate(capacity: count)
        delays.initialize(repeating: .zero, count: count)
        transform = EarTransform(tapCount: tapCount)
        spectra = .allocate(capacity: count * transform.spectraCount)
        spectra.initialize(repeating: 0, count: count * transform.spectraCount)
        let scratch = SampleMemory(count: 2 * transform.partCount)
        for (index, direction) in data.directions.enumerated() {
            delays[index] = direction.delays * Float(data.sampleRate)
            let (left, right) = (taps + 2 * index * tapCount, taps + (2 * index + 1) * tapCount)
            for (k, tap) in direction.left.prefix(tapCount).enumerated() { left[k] = tap }
            for (k, tap) in direction.right.prefix(tapCount).enumerated() { right[k] = tap }
            transform.filter(
                left: left, right: right, tapCount: tapCount, into: spectra + index * transform.spectraCount,
                scratch: scratch.pointer)
        }
        let front = mesh.locate(HeadDirection.front)
        let ahead = HRTFTable.mix(
            HRTFPlace(
                corners: front.corners, weights: SIMD3<Float>(front.weights), isMirrored: false,
                triangle: front.triangle), delays)
        frontDelay = (ahead.x + ahead.y) * 0.5
        let least = data.directions.map { min($0.delays.x, $0.delays.y) * Float(data.sampleRate) }.min() ?? 0
        leastDelay = least > 0 ? Int(min(least, 4096)) : 0
    }
}

extension HRTFFilters {
    /// The built-in head at an engine's sample rate, made once and kept for good. Control side.
    package static func shared(sampleRate: Double) throws(HRTFDataError) -> HRTFFilters {
        if let made = made.withLock({ $0[sampleRate] }) { return made }
        let head = try HRTFFilters(sampleRate: sampleRate)
        return made.withLock { heads in
            let kept = heads[sampleRate] ?? head
            heads[sampleRate] = kept
            return kept
        }
    }

    private static let made = Mutex<[Double: HRTFFilters]>([:])
}

/// The HRTF that renderers use at the moment: one pointer, which the control side exchanges while they play.
///
/// All heads in one cell have the same `tapCount`, so that no renderer needs other memory for another head. A handle,
/// like `Ring`: the owner calls `deallocate()`, and keeps every head that was ever in it until no renderer can be
/// reading that one any more.
package struct HRTFCell: BitwiseCopyable, @unchecked Sendable {
    private struct Place: ~Copyable {
        let table: Atomic<UnsafePointer<HRTFTable.State>>
    }

    private let place: UnsafeMutablePointer<Place>

    package init(_ head: HRTFFilters) {
        place = .allocate(capacity: 1)
        place.initialize(to: Place(table: Atomic(head.table.state)))
    }

    package func deallocate() { place.deinitialize(count: 1).deallocate() }

    /// Any thread.
    package var table: HRTFTable { HRTFTable(place.pointee.table.load(ordering: .acquiring)) }

    /// Replaces the HRTF. Control side.
    /// - Returns: whether it fits; one of another `tapCount` changes nothing.
    package func setHRTF(_ head: HRTFFilters) -> Bool {
        guard head.tapCount == table.tapCount else { return false }
        place.pointee.table.store(head.table.state, ordering: .releasing)
        return true
    }
}
