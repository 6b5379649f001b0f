import OssicleCodecs
import Testing
@testable import OssicleFiles

@Suite("Channels of files") struct ChannelOrderTests {
    private static let apple51: [UInt32] = [3, 1, 2, 5, 6, 4], mpegB: [UInt32] = [1, 2, 5, 6, 3, 4]

    private static func coding(_ name: String) throws -> Coding { try #require(Coding.all.first { $0.name == name }) }

    /// Every channel constant at its own label's hundredth.
    private static func levels(_ labels: [UInt32]) -> [[Double]] {
        labels.map { [Double](repeating: Double($0 % 128) / 128, count: 2000) }
    }

    private func check(_ labels: [UInt32], _ coding: Coding, reads order: [UInt32], tolerance: Double = 0.01) throws {
        let reader = try AudioFileReader(
            source: MemoryBytes(
                encoded(Self.levels(labels), coding, labels: labels, settings: EncoderSettings(quality: 0.9))))
        #expect(reader.info.channelLabels == order, "\(coding.name)")
        for (label, channel) in zip(order, try decoded(reader)) {
            let mean = channel[500..<1500].reduce(0, +) / 1000
            #expect(abs(mean - Double(label % 128) / 128) < tolerance, "\(coding.name): channel \(label) has \(mean)")
        }
    }

    @Test(
        "WAVE and RF64 hold Apple's orders in the mask's order, and say so",
        arguments: ["16.wav", "f32.wav", "ulaw.wav", "24.rf64"])
    func wave(name: String) throws {
        let coding = try Self.coding(name)
        for labels in [Self.apple51, Self.mpegB, [1, 2, 3, 4, 5, 6]] {
            try check(labels, coding, reads: [1, 2, 3, 4, 5, 6])
        }
        try check([3, 1, 2], coding, reads: [1, 2, 3])
        try check([3, 1, 2, 5, 6, 33, 34, 4], coding, reads: [1, 2, 3, 4, 33, 34, 5, 6])
        try check([1, 2, 9, 3], coding, reads: [1, 2, 3, 9])
        try check([13, 15, 1, 2], coding, reads: [1, 2, 13, 15])
    }

    @Test("AIFF and CAF hold any order", arguments: ["16.aiff", "f32.aifc", "16.caf", "24le.caf", "alac16.caf"])
    func any(name: String) throws {
        let coding = try Self.coding(name)
        for labels in [
            Self.apple51, Self.mpegB, [2, 1], [42], [4, 3, 2, 1], [1, 2, 5, 6, 13, 15, 16, 18], [200, 201, 202, 203],
            [1 << 16, 1 << 16 | 1, 1 << 16 | 2],
        ] as [[UInt32]] {
            try check(labels, coding, reads: labels)
        }
    }

    @Test("CAF holds ambisonics")
    func ambisonics() throws {
        let labels = (0..<16).map { UInt32(2 << 16 | $0) }
        try check(labels, Self.coding("f32.caf"), reads: labels)
    }

    @Test("FLAC, Vorbis and Opus keep their own orders, and the reader tells which")
    func fixed() throws {
        try check(Self.apple51, Self.coding("16.flac"), reads: [1, 2, 3, 4, 5, 6])
        try check([3, 1, 2, 5, 6, 33, 34, 4], Self.coding("24.flac"), reads: [1, 2, 3, 4, 33, 34, 5, 6])
        try check(Self.mpegB, Self.coding("a.ogg"), reads: [1, 3, 2, 5, 6, 4], tolerance: 0.03)
        try check(
            [3, 1, 2, 5, 6, 33, 34, 4], Self.coding("a.ogg"), reads: [1, 3, 2, 5, 6, 33, 34, 4], tolerance: 0.03)
    }

    /// Opus passes no constant, so tones of another pitch for each channel tell which is which.
    @Test("The channels of Opus come in Vorbis' order")
    func opus() throws {
        let labels = Self.mpegB
        let tones = labels.map { label in
            label == 4
                ? Signal.sine(50, amplitude: 0.3, frames: 24_000, rate: 48_000).map(Double.init)
                : Signal.sine(300 * Double(label), amplitude: 0.3, frames: 24_000, rate: 48_000).map(Double.init)
        }
        let reader = try AudioFileReader(source: MemoryBytes(encoded(tones, Self.coding("a.opus"), labels: labels)))
        #expect(reader.info.channelLabels == [1, 3, 2, 5, 6, 4])
        for (label, channel) in zip([1, 3, 2, 5, 6, 4] as [UInt32], try decoded(reader)) {
            let source = try #require(labels.firstIndex(of: label))
            let product =
                zip(channel, tones[source]).reduce(0) { $0 + $1.0 * $1.1 } / tones[source].reduce(0) { $0 + $1 * $1 }
            #expect(product > 0.9, "channel \(label): \(product)")
        }
    }

    @Test(
        "From one to eight channels pass every container that takes them",
        arguments: ["16.wav", "16.rf64", "16.w64", "16.aiff", "16.caf", "16.au", "16.flac", "alac16.caf"])
    func counts(name: String) throws {
        for count in 1...8 {
            let sound = (1...count).map { [Double](repeating: Double($0) / 16, count: 300) }
            #expect(try decoded(encoded(sound, Self.coding(name))) == sound)
        }
    }
}
