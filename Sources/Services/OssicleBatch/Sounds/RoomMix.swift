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
    /// What was sent to the loudspeakers.
    private var reference: [Float]?

    /// In this order they are written.
    private static let order: [RowSound.Content] = [.near, .far, .echo, .noise]
    /// Samples of all channels at most: 1 GB.
    private static let mostSamples = 1 << 28
    /// Of a sample, behind the point.
    private let fractionBits: Int

    /// - Parameters:
    ///   - responses: of all places of each source, in the order of the row's sources.
    ///   - fractionBits: that the files have: 23 for 24 bits and for floating point.
    ///   - respond: makes the response from another position, for noise that has one.
    init(
        _ row: RoomRow, _ responses: [[ImpulseResponse]], synthesiser: ResponseSynthesiser, fractionBits: Int,
        respond: (_ source: Vector) throws -> ImpulseResponse
    ) throws {
        (self.row, self.synthesiser, self.fractionBits) = (row, synthesiser, fractionBits)
        channelCount = synthesiser.receiver.channelCount
        let rate = Double(row.sampleRate)
        let dry = try row.sources.map { try DrySound.samples(of: $0.dry ?? "", sampleRate: rate) }
        let sent = row.sources.map { Int(($0.start * rate).rounded()) }
        let starts = row.sources.indices.map { sent[$0] + Int((row.sources[$0].playback.delay * rate).rounded()) }
        let ends = row.sources.indices.map { index in
            starts[index] + dry[index].count + (responses[index].map(\.frameCount).max() ?? 0) - 1
        }
        frames = max(row.seconds.map { Int(($0 * rate).rounded()) } ?? ends.max() ?? 0, 1)
        guard frames <= Self.mostSamples / channelCount, frames <= 2 * 3600 * row.sampleRate else {
            throw BatchError(
                "its mix", "is \(Double(frames) / rate) s of \(channelCount) channels",
                rule: "two hours, and 2²⁸ samples, are the most", cure: "give seconds, or shorter sounds")
        }
        // Others are set beside the near talkers.
        let isNear = row.sources.map { $0.role == .near }
        var whole: [[Float]] = []
        for index in row.sources.indices.filter({ isNear[$0] }) + row.sources.indices.filter({ !isNear[$0] }) {
            let played = row.sources[index].playback.radiated(dry[index])
            for (step, response) in responses[index].enumerated() {
                let part = faded(played, from: starts[index], step: step, of: responses[index].count)
                let heard = placed(FastConvolution(response.channels).apply(to: part), at: starts[index])
                if step == 0 { whole = heard } else { Self.add(heard, to: &whole) }
            }
            try add(whole, row.sources[index])
        }
        if row.writesReference {
            reference = row.sources.indices.filter { row.sources[$0].role == .echo }.reduce(
                into: [Float](repeating: 0, count: frames)
            ) { sum, index in
                let far = row.sources[index].playback.sent(dry[index], start: sent[index], count: frames)
                for frame in sum.indices { sum[frame] += far[frame] }
            }
        }
        for (index, noise) in row.noises.enumerated() {
            let heard = try samples(of: noise, number: index, respond)
            try add(heard, to: .noise, ratio: noise.ratio, name: "the noise")
        }
    }

    /// What a source that moves sends from one of its places: it is there at one moment, and blends from and to its
    /// neighbours.
    private func faded(_ dry: [Float], from start: Int, step: Int, of count: Int) -> [Float] {
        guard count > 1 else { return dry }
        let perFrame = Double(count - 1) / Double(max(frames - 1, 1))
        return dry.enumerated().map { frame, sample in
            let place = min(Double(start + frame) * perFrame, Double(count - 1))
            return sample * Float(max(1 - (place - Double(step)).magnitude, 0))
        }
    }

    private static func add(_ others: [[Float]], to sums: inout [[Float]]) {
        for channel in sums.indices {
            for frame in sums[channel].indices { sums[channel][frame] += others[channel][frame] }
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
        let sent = reference.map { [RowSound(holds: .reference, suffix: "reference", channels: [$0])] } ?? []
        guard row.writesStems else { return [whole] + sent }
        return [whole] + zip(present, held).map { RowSound(holds: $0, suffix: $0.rawValue, channels: $1) } + sent
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
