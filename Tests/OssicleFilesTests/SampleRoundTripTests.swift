import Foundation
import OssicleCodecs
import OssicleCore
import Testing
@testable import OssicleFiles

@Suite("Samples through files") struct SampleRoundTripTests {
    /// The ends of the range, their neighbours, zero, and steps all over it, for integers of so many bits.
    private static func integers(_ bits: Int) -> [Int64] {
        let top = Int64(1) << Int64(bits - 1)
        let ends = [-top, -top + 1, -1, 0, 1, top - 2, top - 1]
        return ends + (0..<2000).map { Int64($0) &* 2_654_435_761 % top * ($0 % 2 == 0 ? 1 : -1) }
    }

    @Test(
        "Every integer width comes back exactly, in both byte orders",
        arguments: Coding.lossless.filter { $0.codec.isInteger })
    func integers(coding: Coding) throws {
        let scale = Double(Int64(1) << Int64(coding.codec.bitDepth - 1))
        let channel = Self.integers(coding.codec.bitDepth).map { Double($0) / scale }
        let channels = [channel, channel.reversed().map { -$0 == 1 ? 0 : -$0 }]
        let bytes = try encoded(channels, coding)
        #expect(try decoded(bytes) == channels)
        if coding.codec.bitDepth <= 24 {
            #expect(try floats(bytes) == channels.map { $0.map { Float($0) } })
        }
        let info = try AudioFileReader(source: MemoryBytes(bytes)).info
        #expect(info.codec == coding.codec && info.container == coding.container)
        if let isBigEndian = coding.isBigEndian { #expect(info.isBigEndian == isBigEndian) }
    }

    /// Noise in all bits cannot be predicted, and packets of it do not become smaller: encoders have a way of their own
    /// for these.
    @Test(
        "Lossless packets keep tones, noise and the ends of the range exactly",
        arguments: Coding.lossless.filter { !$0.codec.isLinear }, [1, 2, 5])
    func losslessPackets(coding: Coding, channels: Int) throws {
        let bits = coding.codec.bitDepth, quantizer = SampleQuantizer(bits: bits), highest = 1 - exp2(Double(1 - bits))
        let tones = Signal.tonesAndNoise(channels: channels, frames: 20_000)
        let sound = tones.enumerated().map { channel, tone -> [Double] in
            let random = CounterRandom(seed: 5, object: UInt64(channel))
            return tone.enumerated().map { frame, sample in
                switch frame / 5000 {
                case 0, 1: quantizer.sample(quantizer.quantize(Double(sample) / 2))
                case 2: quantizer.sample(quantizer.quantize(2 * random.unit(UInt64(frame)) - 1))
                default: random.bits(UInt64(frame)) & 1 == 0 ? -1 : highest
                }
            }
        }
        #expect(try decoded(encoded(sound, coding)) == sound)
    }

    @Test(
        "A seek in packets of CAF gives what reading in order gives",
        arguments: Coding.apple.filter { $0.container == .caf && !$0.codec.isLinear })
    func seek(coding: Coding) throws {
        let bytes = try encoded(Signal.tonesAndNoise(channels: 2, frames: 30_000).map { $0.map(Double.init) }, coding),
            whole = try decoded(bytes)
        let reader = try AudioFileReader(source: MemoryBytes(bytes))
        for frame in [29_999, 0, 4096, 4095, 20_001, 20_000, 63, 30_000] {
            try reader.seek(to: Int64(frame))
            #expect(
                try decoded(reader, limit: 1000) == whole.map { Array($0[frame..<min(frame + 1000, 30_000)]) },
                "\(frame)")
        }
    }

    @Test(
        "Floating point comes back bit by bit, also beyond full scale",
        arguments: Coding.lossless.filter { $0.codec.isFloat })
    func floats(coding: Coding) throws {
        let values = [0, -0.0, 1, -1, 1.5, -1000, 1e-30, 1.0 / 3, Double(Float.greatestFiniteMagnitude), 0x1p-149]
        let kept = coding.codec == .float64 ? values + [1e300, 5e-324] : values.map { Double(Float($0)) }
        let read = try decoded(encoded([kept], coding))
        #expect(read.map { $0.map(\.bitPattern) } == [kept.map(\.bitPattern)])
    }

    @Test(
        "-32768 is -1, and +1 is clamped, whatever the container",
        arguments: Coding.lossless.filter { $0.codec.bitDepth == 16 })
    func rule(coding: Coding) throws {
        let step: Double = 1.0 / 32_768
        let given: [Double] = [-1, 1, -2, 2, 1.5 * step, step - 1]
        let expected: [Double] = [-1, 1 - step, -1, 1 - step, 2 * step, step - 1]
        #expect(try decoded(encoded([given], coding)) == [expected])
    }

    /// G.711: 13 significant bits near full scale for µ-law's 8, so a step of 1/32 of the sample's size and a half of
    /// it off at most; ADPCM follows a slow tone.
    @Test(
        "Companded and ADPCM codecs clip at full scale instead of turning over",
        arguments: Coding.lossy.filter { $0.container != .mpeg && $0.codec != .opus && $0.codec != .vorbis })
    func clipping(coding: Coding) throws {
        let loud = (0..<2048).map { 1.4 * (Double(min($0, 256)) / 256) }
        let read = try decoded(encoded([loud], coding))[0]
        #expect(read.allSatisfy { $0 > -0.1 })
        #expect(read[1000..<2000].allSatisfy { $0 > 0.95 }, "\(read[1000..<2000].min() ?? 0)")
    }

    private func floats(_ bytes: [UInt8]) throws -> [[Float]] {
        let reader = try AudioFileReader(source: MemoryBytes(bytes)), frames = Int(reader.info.frameCount)
        let planes = (0..<reader.info.channelCount).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: frames) }
        defer { planes.forEach { $0.deallocate() } }
        let count = try reader.read(into: planes, frames: frames)
        return planes.map { Array(UnsafeBufferPointer(start: $0, count: count)) }
    }
}
