import OssicleCore

/// What a synthesiser's voices add to: both sides, and what goes to the effects. Each holds the frames of one block.
struct VoiceBuses {
    var left: UnsafeMutablePointer<Float>
    var right: UnsafeMutablePointer<Float>
    var reverb: UnsafeMutablePointer<Float>
    var chorus: UnsafeMutablePointer<Float>
}

/// Amplitudes of a voice on each bus.
struct BusLevels: BitwiseCopyable {
    var left: Float = 0, right: Float = 0, reverb: Float = 0, chorus: Float = 0
}

/// The amplitudes of a voice on each bus, as straight lines over a segment.
struct VoiceGains: BitwiseCopyable {
    private var left: Ramp<Float>, right: Ramp<Float>, reverb: Ramp<Float>, chorus: Ramp<Float>

    /// At rest.
    init(_ levels: BusLevels) {
        (left, right) = (Ramp(levels.left), Ramp(levels.right))
        (reverb, chorus) = (Ramp(levels.reverb), Ramp(levels.chorus))
    }

    /// Where the lines are.
    var levels: BusLevels {
        BusLevels(left: left.value, right: right.value, reverb: reverb.value, chorus: chorus.value)
    }

    /// From where they are to other levels.
    mutating func move(to levels: BusLevels, frames: Int) {
        left = Ramp(from: left.value, to: levels.left, frames: frames)
        right = Ramp(from: right.value, to: levels.right, frames: frames)
        reverb = Ramp(from: reverb.value, to: levels.reverb, frames: frames)
        chorus = Ramp(from: chorus.value, to: levels.chorus, frames: frames)
    }

    /// Adds a voice's sound to the buses from a frame on.
    mutating func add(_ sound: UnsafePointer<Float>, to buses: VoiceBuses, at frame: Int, _ count: Int) {
        Self.add(sound, to: buses.left + frame, &left, count)
        Self.add(sound, to: buses.right + frame, &right, count)
        // Most voices send nothing.
        if !Self.isNothing(reverb) { Self.add(sound, to: buses.reverb + frame, &reverb, count) }
        if !Self.isNothing(chorus) { Self.add(sound, to: buses.chorus + frame, &chorus, count) }
    }

    private static func isNothing(_ gain: Ramp<Float>) -> Bool { gain.target == 0 && gain.value == 0 }

    private static func add(
        _ sound: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, _ gain: inout Ramp<Float>, _ count: Int
    ) {
        for frame in 0..<count { output[frame] += sound[frame] * gain[frame] }
        gain.advance(count)
    }
}
