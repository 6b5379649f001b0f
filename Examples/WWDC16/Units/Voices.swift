import AVFoundation

/// The sound of the synthesiser: one structure for each note that can sound at once. On the thread that renders.
final class Voices: @unchecked Sendable {
    private struct Voice {
        var key: UInt8 = 0
        var isHeld = false
        var level: Float = 0
        var velocity: Float = 0
        var phases = (0.0, 0.0)
        var lowPass: Float = 0
        /// When it was begun, to take the oldest one first.
        var age = 0
    }

    private let voices = UnsafeMutableBufferPointer<Voice>.allocate(capacity: 16)
    private var sampleRate = 48_000.0
    private var gain: Float = 0.2
    private var brightness: Float = 6
    private var begun = 0

    init() { voices.initialize(repeating: Voice()) }

    deinit { voices.deallocate() }

    func prepare(sampleRate: Double) { self.sampleRate = sampleRate }

    func silence() { for index in voices.indices { voices[index] = Voice() } }

    func set(_ address: AUParameterAddress, _ value: AUValue) {
        switch SynthesiserUnit.Parameter(rawValue: address) {
        case .gain: gain = value
        case .brightness: brightness = value
        case nil: break
        }
    }

    func take(_ event: UnsafePointer<AURenderEvent>) {
        switch event.pointee.head.eventType {
        case .parameter, .parameterRamp:
            set(event.pointee.parameter.parameterAddress, event.pointee.parameter.value)
        case .MIDI:
            let (status, key, velocity) = event.pointee.MIDI.data
            switch status & 0xF0 {
            case 0x90 where velocity > 0: begin(key, velocity)
            case 0x80, 0x90: end(key)
            default: break
            }
        default: break
        }
    }

    private func begin(_ key: UInt8, _ velocity: UInt8) {
        begun += 1
        var best = 0
        for index in voices.indices where rank(voices[index]) < rank(voices[best]) { best = index }
        voices[best] = Voice(key: key, isHeld: true, velocity: Float(velocity) / 127, age: begun)
    }

    /// Silent voices come first, then those that die away, each time the oldest.
    private func rank(_ voice: Voice) -> Int { voice.age + (voice.isHeld ? 1 << 40 : voice.level > 1e-4 ? 1 << 20 : 0) }

    private func end(_ key: UInt8) {
        var oldest = -1
        for index in voices.indices where voices[index].isHeld && voices[index].key == key {
            if oldest < 0 || voices[index].age < voices[oldest].age { oldest = index }
        }
        if oldest >= 0 { voices[oldest].isHeld = false }
    }

    /// Writes the sum of all voices to some frames of every buffer.
    func render(_ frames: Range<Int>, into list: UnsafeMutablePointer<AudioBufferList>) {
        guard !frames.isEmpty else { return }
        let buffers = UnsafeMutableAudioBufferListPointer(list)
        guard let first = buffers.first?.mData?.assumingMemoryBound(to: Float.self) else { return }
        for frame in frames { first[frame] = 0 }
        for index in voices.indices where voices[index].isHeld || voices[index].level > 1e-4 {
            add(&voices[index], to: first, frames)
        }
        for buffer in buffers.dropFirst() {
            guard let other = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
            for frame in frames { other[frame] = first[frame] }
        }
    }

    private func add(_ voice: inout Voice, to plane: UnsafeMutablePointer<Float>, _ frames: Range<Int>) {
        let frequency = 440 * pow(2, (Double(voice.key) - 69) / 12)
        let steps = (frequency * 1.003 / sampleRate, frequency / 1.003 / sampleRate)
        let corner = min(Float(frequency / sampleRate) * brightness, 0.45)
        let follow = 1 - exp(-2 * Float.pi * corner)
        let rise = Float(1 / (0.005 * sampleRate)), fall = Float(exp(-1 / (0.12 * sampleRate)))
        for frame in frames {
            voice.level = voice.isHeld ? min(voice.level + rise, 1) : voice.level * fall
            let saws = saw(&voice.phases.0, steps.0) + saw(&voice.phases.1, steps.1)
            voice.lowPass += follow * (saws - voice.lowPass)
            plane[frame] += gain * voice.velocity * voice.level * voice.lowPass
        }
    }

    /// A saw wave whose edge is rounded over two frames (PolyBLEP).
    private func saw(_ phase: inout Double, _ step: Double) -> Float {
        phase += step
        if phase >= 1 { phase -= 1 }
        var value = 2 * phase - 1
        if phase < step {
            let t = phase / step
            value -= 2 * t - t * t - 1
        } else if phase > 1 - step {
            let t = (phase - 1) / step
            value -= t * t + 2 * t + 1
        }
        return Float(value)
    }
}
