import COssicle

/// Plain sample arithmetic that renderers share.
package enum Mixing {
    package static func add(_ from: UnsafePointer<Float>, into: UnsafeMutablePointer<Float>, _ frames: Int) {
        for frame in 0..<frames { into[frame] += from[frame] }
    }

    /// Adding silence would turn −0 into +0: where there is no `late`, `direct` passes untouched.
    package static func sum(_ direct: UnsafePointer<Float>, _ late: UnsafePointer<Float>, to output: UnsafeMutablePointer<Float>, _ frames: Int) {
        for frame in 0..<frames { output[frame] = late[frame] == 0 ? direct[frame] : direct[frame] + late[frame] }
    }

    package static func scale(_ buffer: UnsafeMutablePointer<Float>, by gain: Float, _ frames: Int) {
        for frame in 0..<frames { buffer[frame] *= gain }
    }

    package static func clear(_ buffer: UnsafeMutablePointer<Float>, _ frames: Int) {
        buffer.update(repeating: 0, count: frames)
    }

    /// Sets what a client left as NaN or infinity to 0, and leaves the bits of every other sample.
    /// - Returns: how many there were.
    package static func clearNonFinite(_ buffer: UnsafeMutablePointer<Float>, _ frames: Int) -> Int { ossicle_clear_non_finite(buffer, frames) }

    package static func isZero(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ count: Int, _ frames: Int) -> Bool {
        for channel in 0..<count {
            for frame in 0..<frames where channels[channel][frame] != 0 { return false }
        }
        return true
    }

    /// Sum of squares in frame order (a meter's view; not part of the sound).
    package static func energy(_ buffer: UnsafePointer<Float>, _ frames: Int) -> Double {
        var sum = 0.0
        for frame in 0..<frames { sum += Double(buffer[frame]) * Double(buffer[frame]) }
        return sum
    }
}
