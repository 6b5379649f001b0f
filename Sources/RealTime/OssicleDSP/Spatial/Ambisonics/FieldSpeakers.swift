import OssicleCore

/// A sound field for loudspeakers: what each of them gets of each channel. Control side.
///
/// All-round decoding (Zotter and Frank 2012): loudspeakers all around, thought of as densely as you like, are panned
/// to the real ones. Their sum is the field's order of the panning functions themselves, so that a wave comes from
/// where the panner would put it. Between loudspeakers that stand far apart it would come 1 to 2 dB too soft; rounds of
/// bringing every direction to the same power and taking the field's order of the result again leave a few hundredths
/// of a dB on a pair, and less than half a dB on any layout. Mean power over all directions: 1.
package enum FieldSpeakers {
    private static let points = 200
    private static let rounds = 14

    /// A panner to a sound field decodes nothing: its channels are those of the field.
    /// - Parameter order: 0…7.
    /// - Returns: loudspeaker by loudspeaker (the panner's channels, LFE included and 0), a gain for each of the (order
    ///   + 1)² channels.
    package static func gains(order: Int, panner: borrowing VBAPPanner) -> [Float] {
        if let channels = panner.fieldGains(order: order) { return channels }
        return order <= SphericalHarmonics.greatestOrder
            ? gains(order, panner, SIMD16<Double>.self) : gains(order, panner, SIMD64<Double>.self)
    }

    private static func gains<Lanes: ChannelLanes>(
        _ order: Int, _ panner: borrowing VBAPPanner, _: Lanes.Type
    ) -> [Float] {
        let (channels, speakers) = (SphericalHarmonics.count(order: order), panner.channelCount)
        let grid = SphereGrid.spiral(points)
        let harmonics = grid.map { Lanes.harmonics($0.direction) }
        let panned = grid.map { pan($0.direction, panner) }
        let weights = Lanes.weights(order: order)
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
    private static func project<Lanes: ChannelLanes>(
        _ gains: [[Double]], _ harmonics: [Lanes], _ weights: Lanes, _ speakers: Int
    ) -> [Lanes] {
        (0..<speakers).map { speaker in
            var sum = Lanes.zero
            for point in gains.indices { sum.add(harmonics[point], times: gains[point][speaker]) }
            return sum * weights / Double(gains.count)
        }
    }

    /// What the loudspeakers get of a plane wave.
    private static func apply<Lanes: ChannelLanes>(_ decoder: [Lanes], _ wave: Lanes) -> [Double] {
        decoder.map { $0.dot(wave) }
    }

    private static func power(_ gains: [Double]) -> Double { gains.reduce(0) { $0 + $1 * $1 } }

    private static func unitPower(_ gains: [Double]) -> [Double] {
        let power = power(gains)
        return power > 1e-12 ? gains.map { $0 / power.squareRoot() } : gains
    }
}
