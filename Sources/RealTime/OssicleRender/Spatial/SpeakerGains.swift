import OssicleCore
import OssicleDSP

/// One gain per loudspeaker, each on its own ramp.
struct SpeakerGains: ~Copyable {
    private let ramps: UnsafeMutablePointer<GainRamp>
    private let gains: SampleMemory
    private let count: Int

    init(count: Int) {
        self.count = count
        gains = SampleMemory(count: count)
        ramps = .allocate(capacity: max(count, 1))
        ramps.initialize(repeating: GainRamp(0), count: max(count, 1))
    }

    deinit { ramps.deallocate() }

    mutating func turn(to direction: SIMD3<Float>, by panner: UnsafeMutablePointer<VBAPPanner>, frames: Int) {
        panner.pointee.gains(direction, into: gains.pointer)
        for speaker in 0..<count { ramps[speaker].setTarget(gains[speaker], frames: frames) }
    }

    mutating func add(_ input: UnsafePointer<Float>, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, _ frames: Int) {
        for speaker in 0..<count { ramps[speaker].add(from: input, to: outputs[speaker] + offset, frames) }
    }
}
