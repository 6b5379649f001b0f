import OssicleAcoustics
import OssicleCore
import OssicleResponses
import OssicleScenes

/// The sound in a room: each source's dry sound through its response, and noise, as stems that add up to the mix.
///
/// Stems are whole multiples of a step so small that 32-bit floating point holds every sum of them: the mix is the sum
/// of its stems to the bit, in any order.
struct RoomMix {
    private let row: RoomRow
    private let synthesiser: ResponseSynthesiser
    private let frames: Int
    private var stems: [RowSound.Content: [[Float]]] = [:]
    private let channelCount: Int

    /// In this order they are written.
    private static let order: [RowSound.Content] = [.near, .far, .echo, .noise]
    /// Samples of all channels at most: 1 GB.
    private static let mostSamples = 1 << 28
    /// Of a sample, behind the point.
    private let fractionBits: Int

    /// - Parameters:
    ///   - responses: in the order of the row's sources.
    ///   - fractionBits: that the files have: 23 for 24 bits and for floating point.
    ///   - respond: makes the response from another position, for noise that has one.
    init(
        _ row: RoomRow, _ responses: [ImpulseResponse], synthesiser: ResponseSynthesiser, fractionBits: Int,
        respond: (_ source: Vector) throws -> ImpulseResponse
    ) throws {
        (self.row, self.synthesiser, self.fractionBits) = (row, synthesiser, fractionBits)
        channelCount = synthesiser.receiver.channelCount
        let rate = Double(row.sampleRate)
        let dry = try row.sources.map { try DrySound.samples(of: $0.dry ?? "", sampleRate: rate) }
        let starts = row.sources.map { Int(($0.start * rate).rounded()) }
        let ends = row.sources.indices.map { starts[$0] + dry[$0].count + responses[$0].frameCount - 1 }
        frames = max(row.seconds.map { Int(($0 * rate).rounded()) } ?? ends.max() ?? 0, 1)
        guard frames <= Self.mostSamples / channelCount, frames <= 2 * 3600 * row.sampleRate else {
            throw BatchError(
                "its mix", "is \(Double(frames) / rate) s of \(channelCount) channels",
                rule: "two hours, and 2²⁸ samples, are the most", cure: "give seconds, or shorter sounds")
        }
        // Others are set beside the near talkers.
        let isNear = row.sources.map { $0.role == .near }
        for index in row.sources.indices.filter({ isNear[$0] }) + row.sources.indices.filter({ !isNear[$0] }) {
            let heard = FastConvolution(responses[index].channels).apply(to: dry[index])
            try add(placed(heard, at: starts[index]), row.sources[index])
        }
        for (index, noise) in row.noises.enumerated() {
            let heard = try samples(of: noise, number: index, respond)
            try add(heard, to: .noise, ratio: noise.ratio, name: "the noise")
        }
    }

    /// Cut to the mix, with silence before.
    private func placed(_ channels: [[Float]], at start: Int) -> [[Float]] {
        channels.map { samples in
            var whole = [Float](repeating: 0, count: frames)
            let count = min(samples.count, max(frames - start, 0))
            if count > 0 { whole.replaceSubrange(start..<start + count, with: samples[..<count]) }
            return whole
        }
    }

    private mutating func add(_ heard: [[Float]], _ source: RowSource) throws {
        let stem: RowSound.Content =
            switch source.role {
            case .near: .near
            case .far: .far
            case .echo: .echo
            }
        if let ratio = source.ratio { return try add(heard, to: stem, ratio: ratio, name: source.dry ?? "") }
        add(heard, to: stem, gain: Float(Decibels.amplitude(source.gain)))
    }

    private mutating func add(_ heard: [[Float]], to stem: RowSound.Content, ratio: Double, name: String) throws {
        let (near, power) = (stems[.near].map(RowSound.power) ?? 0, RowSound.power(heard))
        guard near > 0, power > 0 else {
            throw BatchError(
                near > 0 ? name : "what the near talkers say", "is silent within the mix",
                rule: "a ratio is one of two sounds", cure: "choose another sound, or a longer mix")
        }
        add(heard, to: stem, gain: Float((near / power / Decibels.energy(ratio)).squareRoot()))
    }

    private mutating func add(_ heard: [[Float]], to stem: RowSound.Content, gain: Float) {
        var sum = stems[stem] ?? Array(repeating: [Float](repeating: 0, count: frames), count: channelCount)
        for channel in sum.indices {
            sum[channel].withUnsafeMutableBufferPointer { sum in
                heard[channel].withUnsafeBufferPointer { heard in
                    for frame in sum.indices { sum[frame] += heard[frame] * gain }
                }
            }
        }
        stems[stem] = sum
    }

    private func samples(
        of noise: RowNoise, number: Int, _ respond: (_ source: Vector) throws -> ImpulseResponse
    ) throws -> [[Float]] {
        let rate = Double(row.sampleRate)
        var file: [Float] = []
        if case .file(let path) = noise.kind { file = try DrySound.samples(of: path, sampleRate: rate) }
        let (recorded, seed) = (file, row.seed)
        @Sendable func wave(_ wave: Int, _ count: Int) -> [Float] {
            let random = CounterRandom(
                seed: seed, object: CounterRandom.mix(CounterRandom.number(of: "noise \(number)") &+ UInt64(wave)))
            switch noise.kind {
            case .spectrum(let spectrum): return spectrum.samples(random, count: count, sampleRate: rate)
            case .file:
                let start = Int(random.unit(0) * Double(recorded.count))
                return (0..<count).map { recorded[(start + $0) % recorded.count] }
            }
        }
        guard let position = noise.position else {
            let count = frames
            return synthesiser.diffuseField(listener: row.listener, count: count, workers: WorkerPool(workers: 1)) {
                wave($0, count)
            }.map { $0.count == count ? $0 : Array($0.prefix(count)) }
        }
        let response = try respond(position)
        let lead = response.frameCount - 1
        // From where the room is full of it.
        return FastConvolution(response.channels).apply(to: wave(0, frames + lead)).map {
            Array($0[lead..<lead + frames])
        }
    }

    /// The mix, and its stems where they are wanted.
    func sounds() throws -> [RowSound] {
        let present = RoomMix.order.filter { stems[$0] != nil }
        let parts = levelled(present.compactMap { stems[$0] })
        let step = step(for: parts)
        let held = parts.map { $0.map { $0.map { ($0 / step).rounded(.toNearestOrEven) * step } } }
        var mix = Array(repeating: [Float](repeating: 0, count: frames), count: channelCount)
        for part in held {
            for channel in mix.indices { for frame in 0..<frames { mix[channel][frame] += part[channel][frame] } }
        }
        let whole = RowSound(holds: .mix, suffix: nil, channels: mix)
        guard row.writesStems else { return [whole] }
        return [whole] + zip(present, held).map { RowSound(holds: $0, suffix: $0.rawValue, channels: $1) }
    }

    private func levelled(_ parts: [[[Float]]]) -> [[[Float]]] {
        guard let level = row.level else { return parts }
        var peak: Float = 0
        for channel in 0..<channelCount {
            for frame in 0..<frames { peak = max(peak, parts.reduce(0) { $0 + $1[channel][frame] }.magnitude) }
        }
        guard peak > 0 else { return parts }
        let gain = Float(Decibels.amplitude(level)) / peak
        return parts.map { $0.map { $0.map { $0 * gain } } }
    }

    /// One of the file's where all stems together stay within ±1; else as much more as they go beyond.
    private func step(for parts: [[[Float]]]) -> Float {
        let bound = parts.reduce(Float(0)) { $0 + RowSound(holds: .mix, suffix: nil, channels: $1).peak }
        var (exponent, limit) = (-fractionBits, Float(1))
        while limit < bound, exponent < 100 { (exponent, limit) = (exponent + 1, limit * 2) }
        return Float(sign: .plus, exponent: exponent, significand: 1)
    }
}
