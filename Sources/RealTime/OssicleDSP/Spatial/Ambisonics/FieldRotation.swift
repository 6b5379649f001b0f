import OssicleCore

/// The matrix that turns a sound field of order 3 and below.
///
/// A plane wave from d has the channels Y(d), and turned it has those of the turned direction: R·Y(d) = Y(Q·d). Turning
/// mixes only the channels of one order with each other, and because products of two harmonics are averaged exactly by
/// the 26 points of `SphereGrid`,
///
///     R(n, k) = (2l + 1) Σᵢ wᵢ Yₙ(Q·dᵢ) Yₖ(dᵢ)        n and k of the same order l, else 0
///
/// is exact but for rounding, for any turn, without angles and their singular places. `write` is for the audio thread.
package struct FieldRotation: ~Copyable {
    /// Entries of a row: the matrix is always 16 × 16.
    package static let stride = SphericalHarmonics.greatestCount

    private let directions: OwnedMemory<Vector>
    /// (2l + 1)·wᵢ·Yₖ(dᵢ), a vector per point.
    private let weighted: OwnedMemory<SIMD16<Double>>
    private let rows: OwnedMemory<SIMD16<Double>>

    package init() {
        let points = SphereGrid.lebedev26()
        directions = OwnedMemory(count: points.count, .zero)
        weighted = OwnedMemory(count: points.count, .zero)
        rows = OwnedMemory(count: Self.stride, .zero)
        let weights = SphericalHarmonics.weights(order: SphericalHarmonics.greatestOrder)
        for (index, point) in points.enumerated() {
            directions.pointer[index] = point.direction
            weighted.pointer[index] = weights * SphericalHarmonics.values(point.direction) * point.weight
        }
    }

    /// The matrix of the turn that takes the axes to `right`, `up` and `back` (unit and orthogonal), row by row.
    /// - Parameters:
    ///   - order: rows and columns above it are left as they are. - matrix: room for 16 × 16 values.
    package func write(right: Vector, up: Vector, back: Vector, order: Int, to matrix: UnsafeMutablePointer<Float>) {
        rows.fill(.zero)
        for point in 0..<directions.count {
            let d = directions.pointer[point]
            let turned = SphericalHarmonics.values(right * d.x + up * d.y + back * d.z)
            let share = weighted.pointer[point]
            for row in 0..<SphericalHarmonics.count(order: order) { rows.pointer[row] += share * turned[row] }
        }
        for row in 0..<SphericalHarmonics.count(order: order) {
            let sum = rows.pointer[row]
            let l = SphericalHarmonics.order(of: row)
            for column in 0..<Self.stride {
                matrix[row * Self.stride + column] = SphericalHarmonics.order(of: column) == l ? Float(sum[column]) : 0
            }
        }
    }
}

/// A sound field for loudspeakers: what each of them gets of each channel. Control side.
///
/// All-round decoding (Zotter and Frank 2012): loudspeakers all around, thought of as densely as you like, are panned
/// to the real ones. Their sum is the field's order of the panning functions themselves, so that a wave comes from
/// where the panner would put it. Between loudspeakers that stand far apart it would come 1 to 2 dB too soft; rounds of
/// bringing every direction to the same power and taking the field's order of the result again leave a few hundredths of
/// a dB on a pair, and less than half a dB on any layout. Mean power over all directions: 1.
package enum FieldSpeakers {
    private static let points = 200
    private static let rounds = 14

    /// A panner to a sound field decodes nothing: its channels are those of the field.
    /// - Returns: loudspeaker by loudspeaker (the panner's channels, LFE included and 0), a gain for each of the (order
    ///   + 1)² channels.
    package static func gains(order: Int, panner: borrowing VBAPPanner) -> [Float] {
        if let channels = panner.fieldGains(order: order) { return channels }
        let (channels, speakers) = (SphericalHarmonics.count(order: order), panner.channelCount)
        let grid = SphereGrid.spiral(points)
        let harmonics = grid.map { SphericalHarmonics.values($0.direction) }
        let panned = grid.map { pan($0.direction, panner) }
        let weights = SphericalHarmonics.weights(order: order)
        var decoder = project(panned, harmonics, weights, speakers)
        for _ in 0..<rounds {
            decoder = project(harmonics.map { unitPower(apply(decoder, $0)) }, harmonics, weights, speakers)
        }
        let power = harmonics.reduce(0.0) { $0 + Self.power(apply(decoder, $1)) } / Double(grid.count)
        let scale = power > 0 ? 1 / power.squareRoot() : 0
        return decoder.flatMap { row in (0..<channels).map { Float(row[$0] * scale) } }
    }

    private static func pan(_ direction: Vector, _ panner: borrowing VBAPPanner) -> [Double] {
        let memory = SampleMemory(count: panner.channelCount)
        panner.gains(SIMD3<Float>(direction), into: memory.pointer)
        return (0..<panner.channelCount).map { Double(memory[$0]) }
    }

    /// The part of the loudspeakers' gains that the field's order resolves.
    private static func project(
        _ gains: [[Double]], _ harmonics: [SIMD16<Double>], _ weights: SIMD16<Double>, _ speakers: Int
    ) -> [SIMD16<Double>] {
        (0..<speakers).map { speaker in
            var sum = SIMD16<Double>.zero
            for point in gains.indices { sum += harmonics[point] * gains[point][speaker] }
            return sum * weights / Double(gains.count)
        }
    }

    /// What the loudspeakers get of a plane wave.
    private static func apply(_ decoder: [SIMD16<Double>], _ wave: SIMD16<Double>) -> [Double] {
        decoder.map { ($0 * wave).sum() }
    }

    private static func power(_ gains: [Double]) -> Double { gains.reduce(0) { $0 + $1 * $1 } }

    private static func unitPower(_ gains: [Double]) -> [Double] {
        let power = power(gains)
        return power > 1e-12 ? gains.map { $0 / power.squareRoot() } : gains
    }
}
