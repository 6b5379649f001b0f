import Foundation
import OssicleAcoustics
import OssicleBatch
import OssicleCore
import OssicleFiles
import Testing
@testable import OssicleResponses

/// The sound of rows: stems, levels, noise, convolution.
@Suite("Mixes of a data set") struct MixTests {
    private static let rate = 16_000

    /// Bursts of a decaying tone, 0.5 s.
    private static func speak(_ folder: BatchFolder, _ name: String, frequency: Double, rate: Int = rate) throws {
        let samples = (0..<rate / 2).map { (frame: Int) -> Float in
            let tone: Double = sin(2 * .pi * frequency * Double(frame) / Double(rate))
            let decay: Double = exp(-Double(frame % 2000) / 600)
            return Float(0.5 * tone * decay)
        }
        let wave = try #require(WaveFile(channels: [samples], sampleRate: rate))
        try Data(wave.bytes).write(to: URL(fileURLWithPath: folder.path(name)))
    }

    private static func samples(_ folder: BatchFolder, _ name: String) throws -> [[Float]] {
        let audio = try ResidentAudio(path: folder.path(name))
        return (0..<audio.channelCount).map { Array(audio.samples($0)) }
    }

    private static func power(_ channels: [[Float]]) -> Double {
        channels.reduce(0) { $1.reduce($0) { $0 + Double($1) * Double($1) } }
            / Double(channels.count * channels[0].count)
    }

    @Test("are the sums of their stems to the bit, with the ratios asked for", arguments: ["wav", "flac", "flac16"])
    func stems(format: String) throws {
        let folder = try BatchFolder()
        for (name, tone) in [("near.wav", 300.0), ("far.wav", 700), ("echo.wav", 1100)] {
            try Self.speak(folder, name, frequency: tone)
        }
        let row = #"""
            {"id": "m", "box": [6, 3, 5], "t60": 0.3, "listener": [3, 1.2, 2.5], "receiver": {"circular": {"count": 4, "radius": 0.04}},
             "sources": [{"position": [1, 1.5, 1], "dry": "near.wav", "gain": -6},
                         {"position": [5, 1.5, 4], "dry": "far.wav", "role": "far", "ratio": 5, "start": 0.1},
                         {"position": [3, 0.8, 2], "dry": "echo.wav", "role": "echo", "ratio": -3}],
             "noise": [{"kind": "pink", "snr": 20}, {"file": "echo.wav", "snr": 30, "wall": 0.5}],
             "stems": true, "level": -1, "rate": 16000, "quality": "low", "rays": 256, "length": 0.2, "format": "\#(format)"}
            """#.replacing("\n", with: " ")
        nonisolated(unsafe) var said: [String] = []
        #expect(try folder.run(try folder.manifest(row), to: "out") { said.append($0) }.made == 1, "\(said)")
        let ending = format == "wav" ? "wav" : "flac"
        let mix = try Self.samples(folder, "out/m.\(ending)")
        let stems = try ["near", "far", "echo", "noise"].map { try Self.samples(folder, "out/m.\($0).\(ending)") }
        #expect(mix.count == 4)
        var unequal = 0
        for channel in mix.indices {
            for frame in mix[channel].indices {
                let parts = stems.map { $0[channel][frame] }
                // In two orders: every sum is exact.
                let (one, other) = (parts.reduce(0, +), parts.reversed().reduce(0, +))
                if one != mix[channel][frame] || other != one { unequal += 1 }
            }
        }
        #expect(unequal == 0)
        let powers = stems.map(Self.power)
        // Steps of 16 bits are noise of −101 dB, 40 dB and more below the weakest stem.
        let tolerance = format == "flac16" ? 0.02 : 0.001
        #expect(abs(10 * log10(powers[0] / powers[1]) - 5) < tolerance)
        #expect(abs(10 * log10(powers[0] / powers[2]) + 3) < tolerance)
        // Two noises at 20 and 30 dB have the power of one at 19.586 dB, but for what they share by chance: 1 %.
        #expect(abs(10 * log10(powers[0] / powers[3]) - 19.586) < 0.1)
        let peak = mix.flatMap(\.self).reduce(0) { max($0, $1.magnitude) }
        #expect(abs(20 * log10(Double(peak)) + 1) < 0.001)
    }

    @Test("of one source are its dry sound through its response")
    func convolved() throws {
        let folder = try BatchFolder()
        try Self.speak(folder, "dry.wav", frequency: 440)
        let row =
            #"{"id": "c", "box": [6, 3, 5], "source": [1, 1.5, 1], "listener": [4, 1.5, 3], "dry": "dry.wav", "responses": true, "#
            + #""rate": 16000, "quality": "low", "rays": 256, "length": 0.1}"#
        try folder.run(try folder.manifest(row), to: "out")
        let mix = try Self.samples(folder, "out/c.wav")[0], response = try Self.samples(folder, "out/c.source1.wav")[0]
        let dry = try Self.samples(folder, "dry.wav")[0]
        #expect(mix.count == dry.count + response.count - 1)
        var (error, power) = (0.0, 0.0)
        for frame in stride(from: 0, to: mix.count, by: 37) {
            let sum = (max(0, frame - dry.count + 1)...min(frame, response.count - 1)).reduce(0.0) {
                $0 + Double(response[$1]) * Double(dry[frame - $1])
            }
            error = max(error, abs(sum - Double(mix[frame])))
            power = max(power, abs(sum))
        }
        // Half a step of 24 bits, and the transforms' rounding.
        #expect(error < 1e-6)
        #expect(power > 0.05)
    }

    @Test("last as long as is asked, and take sounds of other rates and channels")
    func lengths() throws {
        let folder = try BatchFolder()
        try Self.speak(folder, "dry.wav", frequency: 440, rate: 44_100)
        let row =
            #"{"id": "l", "box": [6, 3, 5], "source": [1, 1.5, 1], "listener": [4, 1.5, 3], "dry": "dry.wav", "seconds": 0.75, "#
            + #""receiver": "binaural", "rate": 16000, "quality": "low", "rays": 0, "length": 0.1}"#
        try folder.run(try folder.manifest(row), to: "out")
        let mix = try Self.samples(folder, "out/l.wav")
        #expect(mix.map(\.count) == [12_000, 12_000])
        #expect(Self.power(mix) > 1e-5)
    }

    @Test("have noise with the levels of its octaves", arguments: ["white", "pink", "speech"])
    func spectrum(kind: String) throws {
        let spectrum = try #require(["white": NoiseSpectrum.white, "pink": .pink, "speech": .speech][kind])
        let noise = spectrum.samples(CounterRandom(seed: 3, object: 1), count: 1 << 18, sampleRate: 48_000)
        #expect(abs(10 * log10(Self.power([noise]))) < 0.3)
        // Power of octaves 125 Hz to 8 kHz by Welch's method.
        let size = 8192
        let transform = PlainTransform(count: size)
        var spectrumOfNoise = [Double](repeating: 0, count: size / 2 + 1)
        for start in stride(from: 0, to: noise.count - size, by: size) {
            let windowed = (0..<size).map { (frame: Int) -> Float in
                let window: Double = 0.5 - 0.5 * cos(2 * .pi * Double(frame) / Double(size))
                return noise[start + frame] * Float(window)
            }
            for (bin, power) in transform.powers(windowed).enumerated() { spectrumOfNoise[bin] += power }
        }
        let octaves = (2...8).map { band -> Double in
            let centre = OctaveBands.centre(band), bins = Double(size) / 48_000
            let (lowest, highest) = (centre / 2.0.squareRoot(), centre * 2.0.squareRoot())
            return 10 * log10(spectrumOfNoise[Int(lowest * bins)..<Int(highest * bins)].reduce(0, +))
        }
        let wanted: [Double] =
            switch kind {
            case "white": (0..<7).map { 3.0103 * Double($0) }
            case "pink": Array(repeating: 0, count: 7)
            default: [2.9, 2.9, -0.8, -6.8, -12.8, -18.8, -24.8]
            }
        let shift = zip(octaves, wanted).reduce(0) { $0 + $1.0 - $1.1 } / 7
        // A bin at the rim of the lowest octave is 7 % of it, 0.3 dB; an octave of a curved spectrum is not its centre.
        for (octave, level) in zip(octaves, wanted) { #expect(abs(octave - level - shift) < 1, "\(octaves) \(wanted)") }
    }

    @Test("have diffuse noise as coherent between two microphones as a diffuse field is: sin(kd)/kd")
    func coherence() throws {
        let distance = 0.1
        let synthesiser = try ResponseSynthesiser(
            sampleRate: 16_000, receiver: .array([Vector(-distance / 2, 0, 0), Vector(distance / 2, 0, 0)]))
        let field = synthesiser.diffuseField(listener: Pose(), count: 1 << 17, workers: WorkerPool(workers: 2)) {
            wave in
            NoiseSpectrum.white.samples(
                CounterRandom(seed: 5, object: UInt64(wave)), count: 1 << 17, sampleRate: 16_000)
        }
        #expect(abs(10 * log10(Self.power(field))) < 0.3)
        let size = 512
        let transform = PlainTransform(count: size)
        var sums = [(cross: Double, one: Double, other: Double)](repeating: (0, 0, 0), count: size / 2 + 1)
        for start in stride(from: 0, to: 1 << 17, by: size) {
            let (a, b) = (
                transform.bins(Array(field[0][start..<start + size])),
                transform.bins(Array(field[1][start..<start + size]))
            )
            for bin in sums.indices {
                sums[bin].cross += a.real[bin] * b.real[bin] + a.imaginary[bin] * b.imaginary[bin]
                sums[bin].one += a.real[bin] * a.real[bin] + a.imaginary[bin] * a.imaginary[bin]
                sums[bin].other += b.real[bin] * b.real[bin] + b.imaginary[bin] * b.imaginary[bin]
            }
        }
        for frequency in [250.0, 500, 1000, 1715, 2500, 3500] {
            let middle = Int(frequency * Double(size) / 16_000)
            let near = middle - 1...middle + 1
            let cross = near.reduce(0) { $0 + sums[$1].cross }
            let found =
                cross / (near.reduce(0) { $0 + sums[$1].one } * near.reduce(0) { $0 + sums[$1].other }).squareRoot()
            let kd = 2 * Double.pi * frequency * distance / 343.2
            // 768 averages leave a standard deviation of 0.026, 64 directions 0.014 more.
            #expect(abs(found - sin(kd) / kd) < 0.12, "\(frequency) Hz: \(found) for \(sin(kd) / kd)")
        }
    }

    @Test("of a room with a decay time have that decay", arguments: [0.25, 0.6])
    func decay(seconds: Double) throws {
        let folder = try BatchFolder()
        let row =
            #"{"id": "t", "box": [6, 3, 5], "t60": \#(seconds), "source": [1, 1.5, 1], "listener": [4, 1.5, 3], "rate": 16000, "quality": "medium", "length": 1}"#
        try folder.run(try folder.manifest(row), to: "out")
        let record = try #require(
            try JSONSerialization.jsonObject(with: Data(folder.bytes("out/results.jsonl"))) as? [String: Any])
        let times = try #require((record["sources"] as? [[String: Any]])?.first?["t30"] as? [Double])
        // Eyring's formula takes the field for diffuse, which a flat room with walls alike is within a fifth.
        #expect(abs(times[5] / seconds - 1) < 0.2, "\(times[5])")
    }
}

/// The discrete Fourier transform of a power of two, plainly.
private struct PlainTransform {
    let count: Int

    /// In double precision and by other code than the engine's, which judges itself otherwise.
    func bins(_ signal: [Float]) -> (real: [Double], imaginary: [Double]) {
        var values = signal.map { (re: Double($0), im: 0.0) }
        Self.transform(&values)
        return (values[0...count / 2].map(\.re), values[0...count / 2].map(\.im))
    }

    func powers(_ signal: [Float]) -> [Double] {
        let found = bins(signal)
        return zip(found.real, found.imaginary).map { $0 * $0 + $1 * $1 }
    }

    /// Cooley and Tukey, recursive.
    private static func transform(_ values: inout [(re: Double, im: Double)]) {
        let count = values.count
        guard count > 1 else { return }
        var even = stride(from: 0, to: count, by: 2).map { values[$0] }
        var odd = stride(from: 1, to: count, by: 2).map { values[$0] }
        transform(&even)
        transform(&odd)
        for k in 0..<count / 2 {
            let angle = -2 * Double.pi * Double(k) / Double(count)
            let (c, s) = (cos(angle), sin(angle))
            let t = (re: odd[k].re * c - odd[k].im * s, im: odd[k].re * s + odd[k].im * c)
            values[k] = (even[k].re + t.re, even[k].im + t.im)
            values[k + count / 2] = (even[k].re - t.re, even[k].im - t.im)
        }
    }
}
