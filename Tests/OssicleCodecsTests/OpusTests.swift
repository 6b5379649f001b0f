import Foundation
import OssicleTestSupport
import Testing
@testable import OssicleCodecs

@Suite("Opus") struct OpusTests {
    /// The recording after its way through Opus, without priming and remainder.
    private func roundTrip(
        _ input: [[Double]], rate: Double = 48_000, labels: [UInt32]? = nil,
        _ settings: EncoderSettings = EncoderSettings()
    )
        throws -> (output: [[Double]], packets: [Packet], encoder: any PacketEncoder)
    {
        let encoder = try Codecs.makeEncoder(
            .opus, sampleRate: rate, channelCount: input.count, channelLabels: labels, settings: settings)
        let packets = try encoder.packets(of: input)
        let decoded = try Codecs.makeDecoder(encoder.format).samples(of: packets)
        #expect(packets.allSatisfy { $0.frames == Int(rate) / 50 && $0.bytes.count <= encoder.maximumPacketSize })
        #expect(decoded[0].count - encoder.primingFrames - encoder.remainderFrames == input[0].count)
        return (decoded.map { Array($0.dropFirst(encoder.primingFrames).prefix(input[0].count)) }, packets, encoder)
    }

    @Test("Noise in a band comes back where it was, to the frame, at every rate", arguments: OpusRange.sampleRates)
    func alignment(_ rate: Double) throws {
        let noise = Signal.noise(count: 20_000, seed: 5, amplitude: 0.6).map { Double($0) }
        let smooth = noise.indices.map { index in noise[max(index - 7, 0)...index].reduce(0, +) / 8 }
        let output = try roundTrip([smooth], rate: rate, EncoderSettings(bitRate: 96_000)).output[0]
        let delay = Measure.delay(of: output.map { Float($0) }, after: smooth.map { Float($0) }, range: 100)
        // Opus' own resampling at the lower rates is of some hundredths of a frame.
        #expect(abs(delay) < (rate == 48_000 ? 0.02 : 0.5), "\(delay) frames")
    }

    @Test("A tone keeps its level within 0.1 dB and is 30 dB over the noise")
    func tone() throws {
        let input = [Sound.sine(997, rate: 48_000, count: 48_000), Sound.sine(1499, rate: 48_000, count: 48_000)]
        let output = try roundTrip(input, EncoderSettings(bitRate: 256_000)).output
        for channel in 0..<2 {
            let (before, after) = (input[channel][4800..<43_200], output[channel][4800..<43_200])
            #expect(Sound.signalToNoise(before, after) > 30)
            let energy = { (samples: ArraySlice<Double>) in samples.reduce(0) { $0 + $1 * $1 } }
            #expect(abs(10 * log10(energy(after) / energy(before))) < 0.1)
        }
    }

    @Test("Each of up to eight channels comes out as itself", arguments: 1...8)
    func channels(_ count: Int) throws {
        // Below 120 Hz, where the low-frequency channel ends.
        let tones = (0..<count).map { 40 + 10 * Double($0) }
        let input = tones.map { Sound.sine($0, rate: 48_000, count: 48_000, amplitude: 0.3) }
        let (output, _, encoder) = try roundTrip(input, EncoderSettings(bitRate: 128_000 * count))
        let usual: [UInt32] = [
            [42], [1, 2], [1, 2, 3], [1, 2, 5, 6], [1, 2, 3, 5, 6], [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6, 9],
            [1, 2, 3, 4, 5, 6, 33, 34],
        ][count - 1]
        #expect(encoder.format.channelLabels == usual)
        for (channel, samples) in output.enumerated() {
            for (other, tone) in tones.enumerated() {
                // Whole periods of all tones.
                let amplitude = Sound.amplitude(of: tone, in: samples[9600..<38_400], rate: 48_000)
                #expect(
                    channel == other ? abs(amplitude - 0.3) < 0.02 : amplitude < 0.01,
                    "channel \(channel) has \(amplitude) of \(other)")
            }
        }
    }

    @Test(
        "Channels go in and out in the order of their labels, and the low-frequency channel is the one that loses its treble"
    )
    func labels() throws {
        let orders: [[UInt32]] = [[1, 2, 3, 4, 5, 6], [3, 1, 2, 5, 6, 4], [1, 2, 5, 6, 3, 4], [1, 2, 3, 4, 33, 34]]
        for labels in orders {
            let input = labels.map {
                Sound.sine($0 == 4 ? 80 : 200 + 100 * Double($0), rate: 48_000, count: 24_000, amplitude: 0.3)
            }
            let output = try roundTrip(input, labels: labels, EncoderSettings(bitRate: 600_000)).output
            for channel in 0..<6 {
                #expect(
                    Sound.signalToNoise(input[channel][4800..<19_200], output[channel][4800..<19_200]) > 20,
                    "\(labels[channel])")
            }
            let treble = labels.map { _ in Sound.sine(5000, rate: 48_000, count: 24_000, amplitude: 0.3) }
            for (label, samples) in zip(
                labels, try roundTrip(treble, labels: labels, EncoderSettings(bitRate: 600_000)).output)
            {
                let amplitude = Sound.amplitude(of: 5000, in: samples[4800..<19_200], rate: 48_000)
                #expect(label == 4 ? amplitude < 0.01 : amplitude > 0.2, "\(label): \(amplitude)")
            }
        }
        let error = #expect(throws: CodecError.self) {
            try Codecs.makeEncoder(.opus, sampleRate: 48_000, channelCount: 3, channelLabels: [1, 2, 4])
        }
        #expect(error?.kind == .unsupported)
    }

    @Test(
        "A constant bit rate makes packets of one size; a constrained one keeps near the rate, a free one spends more on noise"
    )
    func strategies() throws {
        let input = Sound.integers(channels: 2, count: 96_000, bits: 16)
        let constant = try roundTrip(input, EncoderSettings(bitRate: 96_000, strategy: .constant)).packets
        #expect(Set(constant.map(\.bytes.count)) == [96_000 / 50 / 8])
        let rates = try [EncoderSettings.Strategy.variableConstrained, .longTermAverage, .variable].map { strategy in
            let packets = try roundTrip(input, EncoderSettings(bitRate: 96_000, strategy: strategy)).packets
            #expect(Set(packets.map(\.bytes.count)).count > 1)
            return packets.reduce(0) { $0 + $1.bytes.count } * 8 * 50 / packets.count
        }
        #expect((72_000...105_600).contains(rates[0]) && rates[1] == rates[0] && rates[2] > rates[0], "\(rates) bit/s")
        let sizes = try [0, 0.5, 1].map { quality in
            try roundTrip(input, EncoderSettings(strategy: .variable, quality: quality)).packets.reduce(0) {
                $0 + $1.bytes.count
            }
        }
        #expect(sizes[0] < sizes[1] && sizes[1] < sizes[2])
    }

    @Test("The header tells what RFC 7845 wants")
    func header() throws {
        let encoder = try Codecs.makeEncoder(.opus, sampleRate: 24_000, channelCount: 6)
        let header = try #require(OpusHeader(cookie: encoder.format.cookie))
        #expect(
            header.channelCount == 6 && header.mappingFamily == 1 && header.streamCount == 4 && header.coupledCount == 2
        )
        #expect(header.inputSampleRate == 24_000 && header.preSkip == 2 * encoder.primingFrames)
        #expect(Array(encoder.format.cookie.prefix(9)) == Array("OpusHead".utf8) + [1])
    }

    @Test("A stream of any rate is decoded at the rate that is asked for")
    func otherRate() throws {
        let input = [Sound.sine(500, rate: 48_000, count: 48_000)]
        let encoder = try Codecs.makeEncoder(.opus, sampleRate: 48_000, channelCount: 1)
        let packets = try encoder.packets(of: input)
        for rate in OpusRange.sampleRates {
            var format = encoder.format
            format.sampleRate = rate
            let output = try Codecs.makeDecoder(format).samples(of: packets)[0]
            #expect(output.count == packets.count * Int(rate) / 50)
            #expect(
                abs(Sound.amplitude(of: 500, in: output[Int(rate / 10)..<Int(rate * 0.9)], rate: rate) - 0.5) < 0.01)
        }
        for rate in [44_100.0, 0, .nan, -1] {
            #expect(throws: CodecError.self) {
                try Codecs.makeDecoder(PacketFormat(codec: .opus, sampleRate: rate, channelCount: 1))
            }
            #expect(throws: CodecError.self) { try Codecs.makeEncoder(.opus, sampleRate: rate, channelCount: 1) }
        }
    }

    @Test("Samples that are no numbers or beyond all measure do no harm to what follows")
    func wild() throws {
        let tone = Sound.sine(500, rate: 48_000, count: 48_000, amplitude: 0.3)
        let wild = [Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e30, 1e5, -40]
        let output = try roundTrip([(0..<960).map { wild[$0 % wild.count] } + tone], EncoderSettings(bitRate: 128_000))
            .output[0]
        #expect(output.allSatisfy { $0.isFinite })
        #expect(Sound.signalToNoise(tone[9600...], output[10_560...]) > 30)
    }

    @Test("The header's gain is applied")
    func gain() throws {
        let input = [Sound.sine(500, rate: 48_000, count: 24_000, amplitude: 0.2)]
        let encoder = try Codecs.makeEncoder(.opus, sampleRate: 48_000, channelCount: 1)
        let packets = try encoder.packets(of: input)
        var header = try #require(OpusHeader(cookie: encoder.format.cookie))
        header.outputGain = 6 * 256
        var format = encoder.format
        format.cookie = header.bytes
        let amplitude = Sound.amplitude(
            of: 500, in: try Codecs.makeDecoder(format).samples(of: packets)[0][4800..<19_200], rate: 48_000)
        #expect(abs(20 * log10(amplitude / 0.2) - 6) < 0.1)
    }
}
