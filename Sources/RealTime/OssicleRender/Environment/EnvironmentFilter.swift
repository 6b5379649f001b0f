import OssicleCore
import OssicleDSP

/// The filter behind an environment's reverb.
package struct EnvironmentFilter: BitwiseCopyable, Equatable, Sendable {
    /// AVAudioUnitEQ's kinds, by the same numbers.
    package enum Kind: Int, BitwiseCopyable, CaseIterable, Sendable {
        case parametric, lowPass, highPass, resonantLowPass, resonantHighPass, bandPass, bandStop
        case lowShelf, highShelf, resonantLowShelf, resonantHighShelf
    }

    package var kind = Kind.parametric
    /// Hz.
    package var frequency: Float = 1000
    /// Octaves.
    package var bandwidth: Float = 0.5
    /// dB.
    package var gain: Float = 0
    package var bypass = true

    package init() {}

    package func coefficients(sampleRate: Double) -> BiquadCoefficients {
        if bypass { return .identity }
        let (f, q, g) = (Double(frequency), quality, Double(gain))
        return switch kind {
        case .parametric: .peaking(f, q: q, gain: g, sampleRate: sampleRate)
        case .lowPass: .lowPass(f, sampleRate: sampleRate)
        case .highPass: .highPass(f, sampleRate: sampleRate)
        case .resonantLowPass: .lowPass(f, q: q, sampleRate: sampleRate)
        case .resonantHighPass: .highPass(f, q: q, sampleRate: sampleRate)
        case .bandPass: .bandPass(f, q: q, sampleRate: sampleRate)
        case .bandStop: .notch(f, q: q, sampleRate: sampleRate)
        case .lowShelf: .lowShelf(f, gain: g, sampleRate: sampleRate)
        case .highShelf: .highShelf(f, gain: g, sampleRate: sampleRate)
        case .resonantLowShelf: .lowShelf(f, q: q, gain: g, sampleRate: sampleRate)
        case .resonantHighShelf: .highShelf(f, q: q, gain: g, sampleRate: sampleRate)
        }
    }

    /// 1/Q = 2 sinh(ln 2/2 · octaves)
    private var quality: Double {
        let half = DeterministicMath.exp2(Double(bandwidth) / 2)
        return 1 / (half - 1 / half)
    }
}

/// One filter on several channels; another one is faded to over a quantum.
struct FadingFilter: ~Copyable {
    private let channelCount: Int
    /// Those that sound, then those that are faded to.
    private let sections: UnsafeMutablePointer<Biquad>
    private let scratch = SampleMemory(count: Grid.quantum)
    private var frame = Grid.quantum
    private var waiting: BiquadCoefficients?

    init(_ coefficients: BiquadCoefficients, channels: Int) {
        channelCount = channels
        sections = .allocate(capacity: max(2 * channels, 1))
        sections.initialize(repeating: Biquad(coefficients), count: max(2 * channels, 1))
    }

    deinit { sections.deallocate() }

    mutating func reset() {
        let sections = sections
        for index in 0..<2 * channelCount { sections[index].reset() }
    }

    /// One that comes while another is being faded to waits for the end of that; the newest wins.
    mutating func setTarget(_ coefficients: BiquadCoefficients, atOnce: Bool) {
        waiting = coefficients
        guard atOnce else { return }
        begin()
        finish()
    }

    private mutating func begin() {
        guard let coefficients = waiting else { return }
        for channel in 0..<channelCount { sections[channelCount + channel] = Biquad(coefficients) }
        (waiting, frame) = (nil, 0)
    }

    private mutating func finish() {
        for channel in 0..<channelCount { sections[channel] = sections[channelCount + channel] }
        frame = Grid.quantum
    }

    /// In place.
    mutating func process(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int) {
        var done = 0
        while done < frames {
            if frame >= Grid.quantum, waiting != nil { begin() }
            let isFading = frame < Grid.quantum
            let run = isFading ? min(frames - done, Grid.quantum - frame) : frames - done
            for channel in 0..<channelCount { process(channel, channels[channel] + done, isFading: isFading, run) }
            done += run
            guard isFading else { continue }
            frame += run
            if frame >= Grid.quantum { finish() }
        }
    }

    private func process(_ channel: Int, _ samples: UnsafeMutablePointer<Float>, isFading: Bool, _ frames: Int) {
        if isFading {
            sections[channelCount + channel].process(from: samples, to: scratch.pointer, frames)
        } else if sections[channel].coefficients == .identity {
            return
        }
        sections[channel].process(from: samples, to: samples, frames)
        guard isFading else { return }
        for i in 0..<frames {
            let weight = Float(Int32(truncatingIfNeeded: frame + i)) * (1 / Float(Grid.quantum))
            samples[i] += (scratch[i] - samples[i]) * weight
        }
    }
}
