import OssicleCore
import OssicleDSP

/// One filter on several channels; another one is faded to over a quantum.
struct FadingFilter: ~Copyable {
    private let channelCount: Int
    /// Those that sound, then those that are faded to.
    private let sections: OwnedMemory<Biquad>
    private let scratch = SampleMemory(count: Grid.quantum)
    private var frame = Grid.quantum
    private var waiting: BiquadCoefficients?

    init(_ coefficients: BiquadCoefficients, channels: Int) {
        channelCount = channels
        sections = OwnedMemory(count: 2 * channels, Biquad(coefficients))
    }

    mutating func reset() {
        let sections = sections.pointer
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
        for channel in 0..<channelCount { sections.pointer[channelCount + channel] = Biquad(coefficients) }
        (waiting, frame) = (nil, 0)
    }

    private mutating func finish() {
        sections.pointer.update(from: sections.pointer + channelCount, count: channelCount)
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
        let sections = sections.pointer
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

/// Occlusion and obstruction of every channel of a strip. What neither changes is passed on where it lies.
struct ObstructionFilterBank: ~Copyable {
    private let sampleRate: Double
    private let count: Int
    /// Channel by channel: occlusion, then likewise obstruction.
    private let filters: OwnedMemory<ObstructionFilter>
    private let memory: ChannelMemory

    init(sampleRate: Double, channels: Int) {
        (self.sampleRate, count) = (sampleRate, channels)
        filters = OwnedMemory(count: 2 * channels, ObstructionFilter())
        memory = ChannelMemory(count: 2 * channels)
    }

    /// Whether nothing of what was received is left.
    var isAtRest: Bool {
        let filters = filters.pointer
        return (0..<2 * count).allSatisfy { filters[$0].isAtRest }
    }

    func reset() {
        let filters = filters.pointer
        for index in 0..<2 * count { filters[index].reset() }
    }

    /// dB at 5 kHz.
    func setTarget(occlusion: Float, obstruction: Float, frames: Int) {
        let (before, behind) = (coefficient(occlusion), coefficient(obstruction))
        let filters = filters.pointer
        for channel in 0..<count {
            filters[channel].setTarget(before, frames: frames)
            filters[count + channel].setTarget(behind, frames: frames)
        }
    }

    private func coefficient(_ attenuation: Float) -> Double {
        ObstructionFilter.coefficient(attenuation: Double(attenuation), sampleRate: sampleRate)
    }

    func occlude(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int
    ) -> UnsafePointer<UnsafeMutablePointer<Float>> {
        applyObstruction(channels, first: 0, frames)
    }

    func obstruct(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int
    ) -> UnsafePointer<UnsafeMutablePointer<Float>> {
        applyObstruction(channels, first: count, frames)
    }

    private func applyObstruction(
        _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, first: Int, _ frames: Int
    ) -> UnsafePointer<UnsafeMutablePointer<Float>> {
        let filters = filters.pointer
        // All channels of a strip have the same attenuation.
        if count == 0 || filters[first].isTransparent {
            for channel in 0..<count { filters[first + channel].follow(channels[channel][frames - 1]) }
            return channels
        }
        for channel in 0..<count {
            filters[first + channel].process(from: channels[channel], to: memory[first + channel], frames)
        }
        return memory.channels + first
    }
}
