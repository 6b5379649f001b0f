import AVFoundation

/// The delay lines of the chorus, one for each channel, and its parameters with their ramps. On the thread that
/// renders, but for `prepare` and `set`.
final class ChorusLines: @unchecked Sendable {
    /// A value on its way to another.
    private struct Glide {
        var value: Float
        var step: Float = 0
        var target: Float
        var left: UInt32 = 0

        mutating func advance() {
            guard left > 0 else { return }
            left -= 1
            value = left == 0 ? target : value + step
        }
    }

    /// Milliseconds of the delay at rest.
    private static let centre = 8.0
    private var memory = UnsafeMutableBufferPointer<Float>.allocate(capacity: 0)
    private let glides = UnsafeMutableBufferPointer<Glide>.allocate(capacity: ChorusUnit.Parameter.allCases.count)
    private var channels = 0
    private var length = 0
    private var position = 0
    private var phase = 0.0
    private var sampleRate = 48_000.0
    var isBypassed = false

    init() { glides.initialize(repeating: Glide(value: 0, target: 0)) }

    deinit {
        memory.deallocate()
        glides.deallocate()
    }

    func prepare(sampleRate: Double, channels: Int) {
        (self.sampleRate, self.channels) = (sampleRate, channels)
        length = Int(sampleRate * (Self.centre + 5) / 1000) + 2
        memory.deallocate()
        memory = .allocate(capacity: channels * length)
        forget()
    }

    func forget() {
        memory.initialize(repeating: 0)
        (position, phase) = (0, 0)
    }

    func set(_ address: AUParameterAddress, to value: AUValue, over frames: AUAudioFrameCount = 0) {
        let index = Int(truncatingIfNeeded: address)
        guard glides.indices.contains(index) else { return }
        glides[index].target = value
        glides[index].left = frames
        if frames == 0 { glides[index].value = value }
        glides[index].step = frames > 0 ? (value - glides[index].value) / Float(frames) : 0
    }

    func value(_ address: AUParameterAddress) -> AUValue {
        let index = Int(truncatingIfNeeded: address)
        return glides.indices.contains(index) ? glides[index].value : 0
    }

    func take(_ event: UnsafePointer<AURenderEvent>) {
        let type = event.pointee.head.eventType
        guard type == .parameter || type == .parameterRamp else { return }
        let change = event.pointee.parameter
        set(change.parameterAddress, to: change.value, over: type == .parameter ? 0 : change.rampDurationSampleFrames)
    }

    /// Replaces some frames of every buffer.
    func render(_ frames: Range<Int>, in list: UnsafeMutablePointer<AudioBufferList>) {
        let buffers = UnsafeMutableAudioBufferListPointer(list)
        for frame in frames {
            for index in glides.indices { glides[index].advance() }
            let (rate, depth, mix) = (Double(glides[0].value), Double(glides[1].value), glides[2].value)
            for channel in 0..<min(channels, buffers.count) {
                guard let samples = buffers[channel].mData?.assumingMemoryBound(to: Float.self) else { continue }
                let line = memory.baseAddress.map { $0 + channel * length }
                // Neighbours swing a quarter of a turn apart.
                let swing = sin(2 * Double.pi * (phase + 0.25 * Double(channel)))
                let dry = samples[frame].isFinite ? samples[frame] : 0
                line?[position] = dry
                let wet = Self.read(line, length, position, (Self.centre + depth * swing) * sampleRate / 1000)
                if !isBypassed { samples[frame] = dry * (1 - mix) + wet * mix }
            }
            position = (position + 1) % length
            phase = (phase + rate / sampleRate).truncatingRemainder(dividingBy: 1)
        }
    }

    /// Between two samples, on the straight line.
    private static func read(
        _ line: UnsafeMutablePointer<Float>?, _ length: Int, _ position: Int, _ delay: Double
    ) -> Float {
        guard let line else { return 0 }
        let whole = Int(delay), part = Float(delay - Double(whole))
        let newer = line[(position - whole + length) % length], older = line[(position - whole - 1 + length) % length]
        return newer + part * (older - newer)
    }
}
