import OssicleCodecs

/// Our own change of the rate of a whole sound, for builds that look for no libraries.
package enum WholeResampling {
    private static let chunk = 4096

    /// Converts one channel at the highest quality and fills `output`; one thread. Rates are checked by the caller:
    /// positive, finite and at most 256 times apart.
    package static func convert(
        _ input: UnsafeBufferPointer<Float>, from source: Double, to target: Double,
        into output: UnsafeMutableBufferPointer<Float>
    ) throws(ConversionError) {
        let resampler = try SincResampler(
            from: source, to: target, channelCount: 1, recipe: RateRecipe(quality: 127, algorithm: .normal))
        let memory = PlaneMemory(channelCount: 1, capacity: chunk)
        var (taken, given) = (0, 0)
        while given < output.count {
            // Silence behind the sound brings its end out.
            for index in 0..<chunk {
                memory.planes[0][index] = taken + index < input.count ? Double(input[taken + index]) : 0
            }
            taken += chunk
            resampler.put(memory.frames(chunk))
            while given < output.count {
                let frames = resampler.take(output.count - given)
                guard frames.count > 0 else { break }
                for index in 0..<frames.count { output[given + index] = Float(frames.planes[0][index]) }
                given += frames.count
            }
        }
    }
}
