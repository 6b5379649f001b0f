import OssicleCore
import OssicleDSP

/// A call at a loudspeaker and a microphone in a room, as stems whose sum is the microphone's signal to the bit.
///
/// The far talker speaks alone, then both, then the near talker alone. The room is statistical: a direct path and
/// Gaussian noise that decays with the reverberation time, as loud against the direct path as the critical distance of
/// the room's volume says (Polack, "La transmission de l'énergie sonore dans les salles", 1988). Any thread.
package struct EchoScene: Sendable {
    package struct Settings: Sendable {
        package var sampleRate = 16_000.0
        package var seed: UInt64 = 1
        /// T60 in s, volume in m³, distance of loudspeaker and microphone in m.
        package var (decay, volume, distance) = (0.4, 50.0, 1.0)
        /// Of devices and buffers, s.
        package var delay = 0.1
        /// By how much faster than the microphone's clock the far signal's runs, as a share of 1.
        package var drift = 0.0
        /// Level of the echo and the noise against the near talker's words, dB.
        package var (echoLevel, noiseLevel) = (0.0, -35.0)
        /// Lengths of the far talker alone, both, the near talker alone, s.
        package var (farAlone, both, nearAlone) = (6.0, 4.0, 2.0)

        package init() {}
    }

    package let settings: Settings
    /// What is sent to the loudspeaker, on its own clock.
    package let far: [Float]
    package let near: [Float]
    package let echo: [Float]
    package let noise: [Float]
    /// near + echo + noise, added in that order.
    package let microphone: [Float]
    /// From the loudspeaker to the microphone, device delay left out.
    package let response: [Float]

    /// - Parameter response: from loudspeaker to microphone at the scene's rate, 2^15 frames or fewer; nil for the
    ///   statistical room of the settings.
    package init(_ settings: Settings, response given: [Float]? = nil) {
        self.settings = settings
        let rate = settings.sampleRate
        func frames(_ seconds: Double) -> Int { Int((seconds * rate).rounded()) }
        let (alone, both) = (frames(settings.farAlone), frames(settings.both))
        let count = alone + both + frames(settings.nearAlone)
        // The loudspeaker's signal on the microphone's clock, with room for the interpolator on both sides.
        let margin = SignalClock.margin + Int(300e-6 * Double(count))
        var played = SpeechLikeSignal.make(
            sampleRate: rate, frames: count + 2 * margin, level: 0.1, seed: settings.seed &* 2)
        for i in (margin + alone + both)..<played.count { played[i] = 0 }
        far = SignalClock.read(played, from: margin, ratio: 1 + settings.drift, count)
        var near = SpeechLikeSignal.make(sampleRate: rate, frames: count, level: 0.05, seed: settings.seed &* 2 &+ 1)
        for i in 0..<alone { near[i] = 0 }
        self.near = near
        response = given ?? Self.roomResponse(settings)
        let heard = Self.convolve(Array(played[margin..<(margin + count)]), response, delay: frames(settings.delay))
        let level = Self.level(heard, 0..<(alone + both))
        let scale = Float(0.035 * DeterministicMath.pow(10, settings.echoLevel / 20) / max(level, 1e-9))
        let echo = heard.map { $0 * scale }
        self.echo = echo
        let noiseScale = Float(0.05 * DeterministicMath.pow(10, settings.noiseLevel / 20))
        let noise = Self.gaussian(count, seed: settings.seed, object: "noise").map { Float($0) * noiseScale }
        self.noise = noise
        microphone = (0..<count).map { near[$0] + echo[$0] + noise[$0] }
    }

    /// Where the far talker is alone, both speak, the near talker is alone: frames of the microphone's signal.
    package var parts: (farAlone: Range<Int>, both: Range<Int>, nearAlone: Range<Int>) {
        let alone = Int((settings.farAlone * settings.sampleRate).rounded())
        let both = alone + Int((settings.both * settings.sampleRate).rounded())
        return (0..<alone, alone..<both, both..<microphone.count)
    }

    private static func level(_ signal: [Float], _ range: Range<Int>) -> Double {
        (range.reduce(0.0) { $0 + Double(signal[$1]) * Double(signal[$1]) } / Double(range.count)).squareRoot()
    }

    private static func roomResponse(_ settings: Settings) -> [Float] {
        let rate = settings.sampleRate
        let direct = Int((settings.distance / 343 * rate).rounded())
        let length = direct + Int(settings.decay * rate)
        let critical = 0.057 * (settings.volume / settings.decay).squareRoot()
        var late = gaussian(length - direct, seed: settings.seed, object: "room")
        let perFrame = -3 * DeterministicMath.ln10 / (settings.decay * rate)
        for i in late.indices { late[i] *= DeterministicMath.exp(perFrame * Double(i)) }
        let energy = late.reduce(0) { $0 + $1 * $1 }
        let scale = settings.distance / critical / energy.squareRoot()
        return [Float](repeating: 0, count: direct) + [1] + late.dropFirst().map { Float($0 * scale) }
    }

    /// Normal numbers by Box and Muller.
    private static func gaussian(_ count: Int, seed: UInt64, object: String) -> [Double] {
        let random = CounterRandom(seed: seed, object: CounterRandom.number(of: object))
        return (0..<count).map { i in
            let radius = (-2 * DeterministicMath.log(1 - random.unit(UInt64(2 * i)))).squareRoot()
            return radius * DeterministicMath.cos(2 * DeterministicMath.pi * random.unit(UInt64(2 * i + 1)))
        }
    }

    /// signal ∗ response, `delay` frames later, as long as the signal: overlap-add of transforms.
    private static func convolve(_ signal: [Float], _ response: [Float], delay: Int) -> [Float] {
        let fourier = RealFourierTransform(count: FourierTransform.largestCount)
        let hr = SampleMemory(count: fourier.binCount)
        let hi = SampleMemory(count: fourier.binCount)
        let xr = SampleMemory(count: fourier.binCount)
        let xi = SampleMemory(count: fourier.binCount)
        let block = SampleMemory(count: fourier.count)
        for (i, value) in response.enumerated() { block[i] = value }
        fourier.forward(block.pointer, real: hr.pointer, imaginary: hi.pointer)
        let piece = fourier.count - response.count
        var output = [Float](repeating: 0, count: signal.count)
        for start in stride(from: 0, to: signal.count, by: piece) {
            block.clear()
            for i in 0..<min(piece, signal.count - start) { block[i] = signal[start + i] }
            fourier.forward(block.pointer, real: xr.pointer, imaginary: xi.pointer)
            for k in 0..<fourier.binCount {
                (xr[k], xi[k]) = (xr[k] * hr[k] - xi[k] * hi[k], xr[k] * hi[k] + xi[k] * hr[k])
            }
            fourier.inverse(real: xr.pointer, imaginary: xi.pointer, signal: block.pointer)
            for i in 0..<fourier.count where start + i + delay < output.count {
                output[start + i + delay] += block[i]
            }
        }
        return output
    }
}

extension EchoScene.Settings {
    /// Room `index` of a seeded set: T60 0.2 … 0.8 s, 20 … 120 m³, loudspeaker 0.3 … 3 m away, delay 0.02 … 0.3 s,
    /// drift −50·10⁻⁶ … 50·10⁻⁶, echo −6 … 6 dB against the near talker.
    package static func room(_ index: Int, sampleRate: Double = 16_000) -> EchoScene.Settings {
        let random = CounterRandom(seed: UInt64(index), object: CounterRandom.number(of: "echo scene"))
        func draw(_ number: UInt64, _ range: ClosedRange<Double>) -> Double {
            range.lowerBound + (range.upperBound - range.lowerBound) * random.unit(number)
        }
        var settings = EchoScene.Settings()
        settings.sampleRate = sampleRate
        settings.seed = UInt64(index) &+ 1
        settings.decay = draw(0, 0.2...0.8)
        settings.volume = draw(1, 20...120)
        settings.distance = draw(2, 0.3...3)
        settings.delay = draw(3, 0.02...0.3)
        settings.drift = draw(4, -50e-6...50e-6)
        settings.echoLevel = draw(5, -6...6)
        return settings
    }
}
