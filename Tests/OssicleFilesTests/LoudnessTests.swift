import CEbur128
import Foundation
import Testing
@testable import OssicleFiles

@Suite("Loudness") struct LoudnessTests {
    private static let rate = 48_000.0

    private static func sine(_ frequency: Double, _ decibels: Double, seconds: Double = 10) -> [Float] {
        Signal.sine(frequency, amplitude: pow(10, decibels / 20), frames: Int(seconds * rate), rate: rate)
    }

    /// The signals of the check table, under the names it gives them.
    private static func channels(_ name: String) -> [[Float]]? {
        switch name {
        case "mono 997 Hz sine 0 dBFS": [sine(997, 0)]
        case "stereo 997 Hz sine 0 dBFS both": [sine(997, 0), sine(997, 0)]
        case "stereo 1 kHz sine -23 dBFS both": [sine(1000, -23), sine(1000, -23)]
        case "stereo 1 kHz sine -33 dBFS both": [sine(1000, -33), sine(1000, -33)]
        case "L R C Ls Rs 1 kHz sine -28 -28 -24 -30 -30 dBFS": [-28, -28, -24, -30, -30].map { sine(1000, $0) }
        case "mono 50 Hz sine -20 dBFS": [sine(50, -20)]
        case "mono 100 Hz sine -20 dBFS": [sine(100, -20)]
        case "mono 500 Hz sine -20 dBFS": [sine(500, -20)]
        case "mono 2000 Hz sine -20 dBFS": [sine(2000, -20)]
        case "mono 10000 Hz sine -20 dBFS": [sine(10_000, -20)]
        case "stereo 1 kHz sine 10 s -36, 10 s -23, 10 s -36 dBFS (gating)":
            [[Float]](repeating: sine(1000, -36) + sine(1000, -23) + sine(1000, -36), count: 2)
        default: nil
        }
    }

    @Test("Integrated loudness agrees with the check table to 0.1 LU")
    func table() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Tables/loudness-check.csv")
        let rows = try String(contentsOf: path, encoding: .utf8).split(whereSeparator: \.isNewline).filter {
            !$0.hasPrefix("#")
        }.dropFirst()
        #expect(rows.count == 11)
        for row in rows {
            let comma = try #require(row.lastIndex(of: ","))
            let name = row[..<comma].trimmingCharacters(in: CharacterSet(charactersIn: "\"")),
                expected = try #require(Double(row[row.index(after: comma)...]))
            let channels = try #require(Self.channels(name), "no signal named \(name)")
            let measured = try #require(LoudnessMeasurement(sound(channels)))
            #expect(abs(measured.integrated - expected) < 0.1, "\(name): \(measured.integrated)")
        }
    }

    @Test("A sine between the samples has its true peak above its sample peak")
    func truePeak() throws {
        // A quarter of the rate, 45° late: every sample is ±0.707 of the true amplitude (3.01 dB).
        let samples = (0..<48_000).map { Float(0.5 * sin(.pi / 2 * Double($0) + .pi / 4)) }
        let measured = try #require(LoudnessMeasurement(sound([samples])))
        #expect(abs(measured.samplePeak - 0.5 * 0.5.squareRoot()) < 1e-6)
        #expect(abs(measured.truePeakDecibels - 20 * log10(0.5)) < 0.3)
    }

    @Test("Silence has no loudness, and the LFE channel none either")
    func silence() throws {
        let silence = [Float](repeating: 0, count: 48_000)
        let silent = try sound([silence])
        #expect(LoudnessMeasurement(silent)?.integrated == -.infinity)
        let onlyLFE = try sound([silence, silence, Self.sine(50, -6, seconds: 1)], labels: [1, 2, 4])
        #expect(LoudnessMeasurement(onlyLFE)?.integrated == -.infinity)
    }

    @Test(
        "The true peak of a quarter of the rate between its samples is found to -0.4 and +0.2 dB, in each channel",
        arguments: [44_100.0, 48_000])
    func truePeaks(rate: Double) throws {
        let samples = (0..<48_000).map { Float(0.5 * sin(.pi / 2 * Double($0) + .pi / 4)) }
        let measured = try #require(LoudnessMeasurement(sound([samples, samples.map { $0 / 4 }], rate: rate)))
        for (peak, height) in zip(measured.truePeaks, [0.5, 0.125]) {
            #expect((-0.4...0.2).contains(20 * log10(peak / height)), "\(20 * log10(peak / height)) dB")
        }
        #expect(abs(measured.samplePeaks[1] - 0.125 * 0.5.squareRoot()) < 1e-6)
    }

    /// EBU Tech 3342, table 1: stereo 1 kHz tones at these levels, 20 s each, and the range they must give, within 1
    /// LU.
    @Test(
        "Loudness range agrees with EBU Tech 3342",
        arguments: [
            ([-20.0, -30.0], 10.0), ([-20.0, -15.0], 5.0), ([-40.0, -20.0], 20.0),
            ([-50.0, -35.0, -20.0, -35.0, -50.0], 15.0),
        ] as [([Double], Double)])
    func range(levels: [Double], expected: Double) throws {
        let tone = levels.flatMap { Self.sine(1000, $0, seconds: 20) }
        for memory in [LoudnessMeter.Memory.histogram, .blocks] {
            let meter = try Self.meter(of: [tone, tone], memory: memory)
            #expect(abs(meter.range - expected) <= 1, "\(meter.range) LU")
        }
    }

    /// EBU Tech 3341, tests 1 and 9 to 14 in closed form: a 1 kHz tone of -23 dBFS in both channels is -23 LUFS; of it
    /// 1.34 s after 1.66 s of -30 dBFS make 3 s of -23 - 10·log10(3 / (1.34 + 1.66·10^-0.7)).
    @Test(
        "Momentary and short-term loudness follow EBU Tech 3341 to 0.1 LU, for pieces of any length",
        arguments: [1, 441, 4800, 100_000])
    func windows(piece: Int) throws {
        let steady = Self.sine(1000, -23, seconds: 4)
        let meter = try Self.meter(of: [steady, steady], piece: piece)
        for value in [
            meter.momentary, meter.shortTerm, meter.integrated, meter.maximumMomentary, meter.maximumShortTerm,
        ] { #expect(abs(value + 23) < 0.1, "\(value)") }

        let changing = Self.sine(1000, -30, seconds: 1.66) + Self.sine(1000, -23, seconds: 1.34)
        let mixed = try Self.meter(of: [changing, changing], piece: piece)
        #expect(
            abs(mixed.shortTerm - (-23 - 10 * log10(3 / (1.34 + 1.66 * pow(10, -0.7))))) < 0.1, "\(mixed.shortTerm)")
        #expect(abs(mixed.momentary + 23) < 0.1)
    }

    @Test("The maxima stay when the sound grows quiet, and what is too short has no loudness yet")
    func maxima() throws {
        let fading = Self.sine(1000, -20, seconds: 4) + Self.sine(1000, -50, seconds: 4)
        let meter = try Self.meter(of: [fading])
        #expect(abs(meter.maximumMomentary - meter.maximumShortTerm) < 0.1 && abs(meter.maximumMomentary + 23) < 0.1)
        #expect(meter.momentary < -52 && meter.shortTerm < -52)
        let short = try Self.meter(of: [Self.sine(1000, -20, seconds: 0.39)])
        #expect(
            short.momentary == -.infinity && short.integrated == -.infinity && short.shortTerm == -.infinity
                && short.range == 0)
    }

    private static func meter(
        of channels: [[Float]], memory: LoudnessMeter.Memory = .histogram, piece: Int = 4096
    ) throws -> LoudnessMeter {
        let meter = try #require(LoudnessMeter(channelCount: channels.count, sampleRate: rate, memory: memory))
        let audio = try sound(channels)
        for start in stride(from: 0, to: audio.frameCount, by: piece) {
            meter.add((0..<channels.count).map { audio[$0] + start }, frames: min(piece, audio.frameCount - start))
        }
        return meter
    }

    @Test("A rate that no measure is defined for gives none")
    func absurdRate() throws {
        let slow = try sound([[0]], rate: 3)
        #expect(LoudnessMeasurement(slow) == nil)
    }

    private static let isOracleThere = ossicle_load_ebur128()

    /// Noise that swells and fades in every channel at a time of its own, with a click between the samples.
    private static func swells(_ channels: Int, rate: Double, seconds: Double) -> [[Float]] {
        var state: UInt32 = 7
        return (0..<channels).map { channel in
            (0..<Int(seconds * rate)).map { frame in
                state = state &* 1_664_525 &+ 1_013_904_223
                let noise = Double(state >> 8) / 8_388_608 - 1, time = Double(frame) / rate
                let level = pow(10, -1.5 + sin(0.7 * time + Double(channel)))
                return Float(min(max(level * noise, -1), 1))
            }
        }
    }

    @Test(
        "Loudness is libebur128's to 0.02 LU, range to 0.1 LU, true peaks to 0.01 dB",
        .enabled(if: isOracleThere), arguments: [(1, 48_000.0), (2, 44_100), (6, 48_000), (5, 96_000), (2, 8000)])
    func oracle(channels: Int, rate: Double) throws {
        let sound = Self.swells(channels, rate: rate, seconds: 12)
        let meter = try #require(LoudnessMeter(channelCount: channels, sampleRate: rate, memory: .blocks))
        var state = ebur128_init(
            UInt32(channels), UInt(rate), Int32(EBUR128_MODE_I | EBUR128_MODE_LRA | EBUR128_MODE_TRUE_PEAK))
        defer { ebur128_destroy(&state) }
        for (channel, weight) in ChannelRole.weights(channelCount: channels, labels: nil).enumerated() {
            let role = weight == 0 ? EBUR128_UNUSED : weight == 1 ? EBUR128_CENTER : EBUR128_LEFT_SURROUND
            ebur128_set_channel(state, UInt32(channel), Int32(role))
        }
        let frames = sound[0].count
        ebur128_add_frames_float(state, (0..<frames).flatMap { frame in sound.map { $0[frame] } }, frames)
        try add(sound, to: meter)
        func theirs(_ read: (OpaquePointer?, UnsafeMutablePointer<Double>?) -> Int32) -> Double {
            var value = 0.0
            return read(state, &value) == 0 ? value : .nan
        }
        #expect(abs(meter.integrated - theirs(ebur128_loudness_global)) < 0.02)
        #expect(abs(meter.momentary - theirs(ebur128_loudness_momentary)) < 0.02)
        #expect(abs(meter.shortTerm - theirs(ebur128_loudness_shortterm)) < 0.02)
        #expect(abs(meter.range - theirs(ebur128_loudness_range)) < 0.1)
        for channel in 0..<channels {
            var peak = 0.0
            ebur128_true_peak(state, UInt32(channel), &peak)
            #expect(abs(20 * log10(meter.truePeaks[channel] / peak)) < 0.01)
        }
    }

    private func add(_ channels: [[Float]], to meter: LoudnessMeter) throws {
        let audio = try sound(channels)
        meter.add((0..<channels.count).map { audio[$0] }, frames: audio.frameCount)
    }

    @Test("What is no number spoils the step it is in and nothing after")
    func notANumber() throws {
        let meter = try #require(LoudnessMeter(channelCount: 1, sampleRate: Self.rate))
        var tone = Self.sine(1000, -20, seconds: 8)
        tone[1000] = .nan
        tone[2000] = .infinity
        tone.withUnsafeBufferPointer { samples in
            if let start = samples.baseAddress { meter.add([start], frames: samples.count) }
        }
        #expect(abs(meter.momentary + 23) < 0.1 && abs(meter.shortTerm + 23) < 0.1)
        #expect(abs(meter.integrated + 23) < 0.1)
    }
}
