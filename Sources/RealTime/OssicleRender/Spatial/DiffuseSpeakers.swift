import OssicleCore
import OssicleDSP

/// A field that has no direction, from loudspeakers: each corner of a cube around the listener is panned between its neighbours.
struct DiffuseSpeakers: ~Copyable {
    /// Corner by corner, one gain per loudspeaker.
    private let gains: SampleMemory
    private let count: Int

    init(panner: UnsafeMutablePointer<VBAPPanner>, count: Int) {
        self.count = count
        gains = SampleMemory(count: DiffuseEars.cornerCount * count)
        for corner in 0..<DiffuseEars.cornerCount { panner.pointee.gains(CubeCorner.direction(corner), into: gains.pointer + corner * count) }
    }

    /// One signal per corner in, one per loudspeaker out (overwritten).
    func process(_ corners: UnsafePointer<UnsafeMutablePointer<Float>>, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int) {
        for speaker in 0..<count {
            Mixing.clear(outputs[speaker], frames)
            for corner in 0..<DiffuseEars.cornerCount {
                var gain = GainRamp(gains[corner * count + speaker])
                gain.add(from: corners[corner], to: outputs[speaker], frames)
            }
        }
    }
}
