import AVFoundation
import Synchronization

/// A square wave without an end, sample by sample. On the device's thread; `frames` from any.
final class Oscillator: @unchecked Sendable {
    private let amplitude: Float
    /// Periods in a frame.
    private let step: Double
    /// 0 ..< 1 of a period.
    private var phase = 0.0
    private let count = Atomic(0)

    init(frequency: Double, amplitude: Float, sampleRate: Double) {
        (self.amplitude, step) = (amplitude, frequency / sampleRate)
    }

    /// Frames given by now.
    var frames: Int { count.load(ordering: .relaxed) }

    /// Writes the wave to every buffer of a list of 32-bit floats.
    func write(_ frames: Int, to list: UnsafeMutablePointer<AudioBufferList>) {
        advance(frames) { frame, value in
            for buffer in UnsafeMutableAudioBufferListPointer(list) {
                buffer.mData?.assumingMemoryBound(to: Float.self)[frame] = value
            }
        }
    }

    /// Multiplies what is there by the wave.
    func modulate(_ frames: Int, of list: UnsafeMutablePointer<AudioBufferList>) {
        advance(frames) { frame, value in
            for buffer in UnsafeMutableAudioBufferListPointer(list) {
                buffer.mData?.assumingMemoryBound(to: Float.self)[frame] *= value
            }
        }
    }

    private func advance(_ frames: Int, _ body: (Int, Float) -> Void) {
        for frame in 0..<frames {
            body(frame, phase < 0.5 ? amplitude : -amplitude)
            phase += step
            if phase >= 1 { phase -= 1 }
        }
        count.wrappingAdd(frames, ordering: .relaxed)
    }
}
