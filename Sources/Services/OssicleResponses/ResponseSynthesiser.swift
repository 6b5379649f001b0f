import OssicleAcoustics
import OssicleCore
import OssicleDSP

/// Makes sound of what the acoustics found: every path at its place between the samples with the colour of its ten
/// bands, and Gaussian noise with the energies of the late part.
///
/// Paths and late part add up; each way sound takes must be in one of them only. Pure: the same values and seed give
/// the same bytes on any number of workers.
package struct ResponseSynthesiser: Sendable {
    package let sampleRate: Double
    package let medium: Medium
    package let receiver: Receiver
    /// Of a microphone or an array.
    package let pattern: MicrophonePattern
    package let seed: UInt64
    private let filter: PathFilter
    private let air: PathFilter.AirLoss
    private let noise: BandNoise

    /// - Parameters:
    ///   - sampleRate: 8…384 kHz. - receiver: a head must be made for this rate. - pattern: of microphones, which look
    ///     where the listener does.
    package init(
        sampleRate: Double, medium: Medium = Medium(), receiver: Receiver = .mono,
        pattern: MicrophonePattern = .omnidirectional, seed: UInt64 = 0
    ) throws(ResponseError) {
        guard (8000...384_000).contains(sampleRate) else {
            throw ResponseError("Sample rate \(sampleRate) Hz is outside 8000 to 384000: choose a rate in that range.")
        }
        if case .binaural(let head) = receiver, head.sampleRate != sampleRate {
            throw ResponseError(
                "The head is made for \(head.sampleRate) Hz, the response for \(sampleRate): make the head for the response's rate."
            )
        }
        if case .ambisonic(let order, _) = receiver, !(0...HighOrderHarmonics.greatestOrder).contains(order) {
            throw ResponseError(
                "Ambisonic order \(order) is outside 0 to \(HighOrderHarmonics.greatestOrder): choose an order in that range."
            )
        }
        (self.sampleRate, self.medium, self.receiver, self.seed) = (sampleRate, medium, receiver, seed)
        self.pattern = pattern
        (filter, noise) = (PathFilter.shared(sampleRate: sampleRate), BandNoise.shared(sampleRate: sampleRate))
        air = filter.air(medium.absorption, sampleRate: sampleRate)
    }

    /// - Parameters:
    ///   - acoustics: what reaches each of `receiver.places(around: listener)`, in their order.
    ///   - late: what no path carries, at the listener.
    ///   - frameCount: of the response, from the moment of emission on.
    package func response(
        _ acoustics: [SourceAcoustics], late: LatePart?, listener: Pose, frameCount: Int,
        workers: WorkerPool = .shared
    ) throws(ResponseError) -> ImpulseResponse {
        let places = receiver.places(around: listener).count
        guard acoustics.count == places else {
            throw ResponseError(
                "Acoustics of \(acoustics.count) places for \(places) microphones: compute those of every microphone.")
        }
        guard (1...Int(600 * sampleRate)).contains(frameCount) else {
            throw ResponseError(
                "A length of \(Double(frameCount) / sampleRate) s is outside 1 sample to 600 s: choose a length in that range."
            )
        }
        var channels = [[Float]](repeating: [Float](repeating: 0, count: frameCount), count: receiver.channelCount)
        for (place, acoustics) in acoustics.enumerated() {
            let arrivals = Arrival.all(of: acoustics, in: medium).filter {
                $0.seconds * sampleRate < Double(frameCount)
            }
            add(arrivals, place, listener: listener, to: &channels, workers: workers)
        }
        if let late {
            for (channel, tail) in tail(late, listener, count: frameCount, workers: workers).enumerated() {
                PlacedSignal(start: 0, samples: tail).add(to: &channels[channel], gain: 1)
            }
        }
        if case .ambisonic(_, isN3D: true) = receiver {
            for channel in channels.indices {
                let scale = HighOrderHarmonics.n3dScale(channel)
                for index in channels[channel].indices { channels[channel][index] *= scale }
            }
        }
        return ImpulseResponse(sampleRate: sampleRate, channels: channels)
    }

    /// Adds paths in their order; `place` is the microphone of an array.
    private func add(
        _ arrivals: [Arrival], _ place: Int, listener: Pose, to channels: inout [[Float]], workers: WorkerPool
    ) {
        // Some hundred at a time, so that memory does not grow with the paths.
        for start in stride(from: 0, to: arrivals.count, by: 256) {
            let some = arrivals[start..<min(start + 256, arrivals.count)]
            let signals = workers.map(count: some.count) { self.signals(of: some[start + $0], listener) }
            for (arrival, signals) in zip(some, signals) {
                switch receiver {
                case .mono, .array:
                    for (part, signal) in zip(pattern.parts(local(arrival.direction, listener)), signals) {
                        signal.add(to: &channels[place], gain: part.level)
                    }
                case .binaural: for ear in 0..<2 { signals[ear].add(to: &channels[ear], gain: 1) }
                case .ambisonic(let order, _):
                    let gains = HighOrderHarmonics.values(local(arrival.direction, listener), order: order)
                    for channel in channels.indices {
                        signals[0].add(to: &channels[channel], gain: Float(gains[channel]))
                    }
                }
            }
        }
    }

    /// What a path sounds like: to each ear of a head, to each part of a microphone, else as it is.
    private func signals(of arrival: Arrival, _ listener: Pose) -> [PlacedSignal] {
        let position = arrival.seconds * sampleRate
        let air = (air, arrival.length)
        guard case .binaural(let head) = receiver else {
            return parts(arrival, listener).map { filter.signal(arrival.gains * $0, through: air, at: position) }
        }
        let ears = HRIRPair(head, local(arrival.direction, listener))
        return (0..<2).map {
            filter.signal(arrival.gains, through: air, at: position + ears.lags[$0]).filtered(by: ears.taps[$0])
        }
    }

    private func parts(_ arrival: Arrival, _ listener: Pose) -> [OctaveBands] {
        if case .ambisonic = receiver { return [.ones] }
        return pattern.parts(local(arrival.direction, listener)).map(\.gains)
    }

    private func tail(_ late: LatePart, _ listener: Pose, count: Int, workers: WorkerPool) -> [[Float]] {
        var source = LateWaves(part: late, noise: noise, sampleRate: sampleRate, seed: seed)
        if case .mono = receiver, pattern.isOmnidirectional { return [source.sum(limit: count)] }
        if case .ambisonic(let order, _) = receiver, order > SphericalHarmonics.greatestOrder {
            source.points = LateWaves.manyPoints
        }
        return received(source.waves(limit: count, workers: workers), listener, count: count, workers: workers)
    }

    /// A sound field of plane waves as the receiver hears it.
    private func received(
        _ waves: [LateWaves.Wave], _ listener: Pose, count: Int, workers: WorkerPool
    ) -> [[Float]] {
        workers.map(count: receiver.channelCount) { channel in
            guard pattern.isOmnidirectional || !receiver.isMicrophone else {
                return picked(waves, listener, channel: channel, count: count)
            }
            var sum = [Float](repeating: 0, count: count)
            for wave in waves {
                let direction = local(wave.direction, listener)
                switch receiver {
                case .mono: PlacedSignal(start: 0, samples: wave.samples).add(to: &sum, gain: 1)
                case .ambisonic(let order, _):
                    let gain = Float(HighOrderHarmonics.values(direction, order: order)[channel])
                    PlacedSignal(start: 0, samples: wave.samples).add(to: &sum, gain: gain)
                case .binaural(let head):
                    let ears = HRIRPair(head, direction)
                    PlacedSignal.convolution(of: wave.samples, with: ears.taps[channel], at: ears.lags[channel]).add(
                        to: &sum, gain: 1)
                case .array(let microphones):
                    let lead = microphones[channel].dot(direction) / medium.speedOfSound * sampleRate
                    PlacedSignal.convolution(of: wave.samples, with: [1], at: -lead).add(to: &sum, gain: 1)
                }
            }
            return sum
        }
    }

    /// Plane waves as a microphone of a pattern picks them up: its parts are summed over all waves, then coloured.
    private func picked(_ waves: [LateWaves.Wave], _ listener: Pose, channel: Int, count: Int) -> [Float] {
        var sums: [(gains: OctaveBands, samples: [Float])] = []
        for wave in waves {
            let direction = local(wave.direction, listener)
            var signal = PlacedSignal(start: 0, samples: wave.samples)
            if case .array(let microphones) = receiver {
                let lead = microphones[channel].dot(direction) / medium.speedOfSound * sampleRate
                signal = PlacedSignal.convolution(of: wave.samples, with: [1], at: -lead)
            }
            for (number, part) in pattern.parts(direction).enumerated() {
                if number == sums.count { sums.append((part.gains, [Float](repeating: 0, count: count))) }
                signal.add(to: &sums[number].samples, gain: part.level)
            }
        }
        var output = [Float](repeating: 0, count: count)
        for (gains, samples) in sums {
            let colour = filter.signal(gains, at: 0)
            guard !colour.samples.isEmpty else { continue }
            let coloured = FastConvolution([colour.samples]).apply(to: samples)[0]
            PlacedSignal(start: colour.start, samples: coloured).add(to: &output, gain: 1)
        }
        return output
    }

    /// A stationary diffuse field: waves of their own from 64 directions (the coherence of two microphones is that of a
    /// field from everywhere within 0.02 up to kd = 9), one from all for a single microphone, of
    /// `count` samples. To a microphone the field has the power of one wave.
    /// - Parameter wave: samples of a wave by its number.
    package func diffuseField(
        listener: Pose, count: Int, workers: WorkerPool = .shared, wave: @Sendable (_ number: Int) -> [Float]
    ) -> [[Float]] {
        if case .mono = receiver { return [wave(0)] }
        let points = Self.fieldPoints
        let share = (1 / Float(points.count)).squareRoot()
        let waves = points.indices.map { number in
            LateWaves.Wave(direction: points[number].direction, samples: wave(number).map { $0 * share })
        }
        return received(waves, listener, count: count, workers: workers)
    }

    private static let fieldPoints = SphereGrid.spiral(32)

    /// A direction of the world as the listener sees it: right, up, back.
    private func local(_ direction: Vector, _ listener: Pose) -> Vector {
        Vector(direction.dot(listener.right), direction.dot(listener.up), direction.dot(listener.back))
    }
}

/// What a receiver hears of a source that sends one pulse: 1 is the pulse at 1 m in the open.
package struct ImpulseResponse: Sendable, Hashable {
    /// Hz.
    package let sampleRate: Double
    /// All of the same length; sample 0 is the moment of emission.
    package var channels: [[Float]]

    package init(sampleRate: Double, channels: [[Float]]) { (self.sampleRate, self.channels) = (sampleRate, channels) }

    package var frameCount: Int { channels.first?.count ?? 0 }
    package var seconds: Double { Double(frameCount) / sampleRate }
}

/// Who listens.
package enum Receiver: Sendable {
    /// One microphone.
    case mono
    /// Two ears of a head, made for the response's sample rate.
    case binaural(HRTFFilters)
    /// A sound field of order 0…7: channels in ACN order, SN3D or N3D weights, axes of the listener.
    case ambisonic(order: Int, isN3D: Bool = false)
    /// Microphones at places in metres along the listener's right, up and back.
    case array([Vector])

    package var channelCount: Int {
        switch self {
        case .mono: 1
        case .binaural: 2
        case .ambisonic(let order, _):
            HighOrderHarmonics.count(order: min(max(order, 0), HighOrderHarmonics.greatestOrder))
        case .array(let microphones): microphones.count
        }
    }

    var isMicrophone: Bool {
        switch self {
        case .mono, .array: true
        case .binaural, .ambisonic: false
        }
    }

    /// What the channels are to those who measure them.
    package var kind: ResponseMetrics.Kind {
        switch self {
        case .mono, .array, .ambisonic(order: 0, isN3D: _): .microphones
        case .binaural: .ears
        case .ambisonic: .field
        }
    }

    /// Where sound has to be known: the microphones of an array in the world, else the listener.
    package func places(around listener: Pose) -> [Vector] {
        guard case .array(let microphones) = self else { return [listener.position] }
        return microphones.map { listener.position + listener.right * $0.x + listener.up * $0.y + listener.back * $0.z }
    }
}

/// An impulse response that cannot be computed or written: what is wrong, and what to do.
package struct ResponseError: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
