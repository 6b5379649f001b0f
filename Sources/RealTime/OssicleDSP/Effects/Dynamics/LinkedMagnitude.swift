/// The loudest of all channels frame by frame, so that they are turned down together and keep their places.
enum LinkedMagnitude {
    /// What is not finite counts as silence.
    static func measure(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ count: Int, into magnitudes: UnsafeMutablePointer<Float>, _ n: Int) {
        magnitudes.update(repeating: 0, count: n)
        for channel in 0..<count {
            let samples = channels[channel]
            for i in 0..<n {
                let magnitude = samples[i].magnitude
                magnitudes[i] = magnitude <= .greatestFiniteMagnitude && magnitude > magnitudes[i] ? magnitude : magnitudes[i]
            }
        }
    }

    /// to = from · gains; what is not finite becomes silence.
    static func scale(_ from: UnsafePointer<Float>, by gains: UnsafePointer<Float>, to: UnsafeMutablePointer<Float>, _ n: Int) {
        for i in 0..<n {
            let sample = from[i] * gains[i]
            to[i] = sample.magnitude <= .greatestFiniteMagnitude ? sample : 0
        }
    }
}
