import Foundation
import OssicleCore
import OssicleDSP
import OssicleTestSupport
import PHASE
import Testing

@Suite struct AmbisonicBedTests {
    private let sound = Signal.noise(count: 1200, amplitude: 0.05)
    private let side = HeadDirection.vector(azimuth: 60, elevation: 10)

    private func render(
        _ channels: [[Float]], _ layout: AVAudioChannelLayout, output: AudioChannelLayoutTag? = nil,
        rate: Double = 48_000,
        soundRate: Double? = nil, head: simd_quatf = Bed.yaw(0)
    ) throws -> [[Float]] {
        let stage = try Stage(sampleRate: rate, layout: output)
        try stage.start()
        try stage.startBed("bed", channels, layout, rate: soundRate)
        stage.turnHead(head)
        return try stage.render(7200)
    }

    private func render(
        _ channels: [[Float]], _ tag: AudioChannelLayoutTag, output: AudioChannelLayoutTag? = nil,
        rate: Double = 48_000,
        soundRate: Double? = nil, head: simd_quatf = Bed.yaw(0)
    ) throws -> [[Float]] {
        try render(
            channels, TestFailure.unwrap(AVAudioChannelLayout(layoutTag: tag)), output: output, rate: rate,
            soundRate: soundRate, head: head)
    }

    /// A layout that names its channels one by one.
    private func layout(_ labels: [AudioChannelLabel]) -> AVAudioChannelLayout {
        let bytes =
            MemoryLayout<AudioChannelLayout>.size + (labels.count - 1) * MemoryLayout<AudioChannelDescription>.stride
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
        let layout = memory.assumingMemoryBound(to: AudioChannelLayout.self)
        layout.pointee.mChannelLayoutTag = kAudioChannelLayoutTag_UseChannelDescriptions
        layout.pointee.mNumberChannelDescriptions = UInt32(labels.count)
        let first = MemoryLayout<AudioChannelLayout>.offset(of: \.mChannelDescriptions) ?? 12
        for (index, label) in labels.enumerated() {
            (memory + first + index * MemoryLayout<AudioChannelDescription>.stride).assumingMemoryBound(
                to: AudioChannelDescription.self
            ).pointee.mChannelLabel = label
        }
        return AVAudioChannelLayout(layout: layout)
    }

    private func expectAlike(_ a: [[Float]], _ b: [[Float]], _ comment: Comment) {
        for (x, y) in zip(a, b) { #expect(Measure.largestDifference(x, y) < 1e-6, comment) }
        #expect(a.contains { rms($0[2400...]) > 1e-3 }, comment)
    }

    @Test func `N3D, B-format and channels in any order are the same field`() throws {
        let field = Bed.wave(sound, from: side)
        let wanted = try render(field, kAudioChannelLayoutTag_HOA_ACN_SN3D | 16)
        let n3d = field.enumerated().map { index, channel in
            channel.map { $0 * Float(Double(2 * SphericalHarmonics.order(of: index) + 1).squareRoot()) }
        }
        expectAlike(try render(n3d, kAudioChannelLayoutTag_HOA_ACN_N3D | 16), wanted, "N3D")
        let backwards = layout((0..<16).reversed().map { kAudioChannelLabel_HOA_ACN_0 + AudioChannelLabel($0) })
        expectAlike(try render(field.reversed(), backwards), wanted, "labels one by one")

        let first = Bed.wave(sound, from: side, order: 1)
        let bFormat = [first[0].map { $0 * Float(0.5.squareRoot()) }, first[3], first[1], first[2]]
        expectAlike(
            try render(bFormat, kAudioChannelLayoutTag_Ambisonic_B_Format),
            try render(first, kAudioChannelLayoutTag_HOA_ACN_SN3D | 4), "B-format")
        // What is above order 7 is not heard.
        let seventh = Bed.wave(sound, from: side, order: 7)
        let eighth = seventh + (0..<17).map { Signal.noise(count: 1200, seed: UInt64($0)) }
        expectAlike(
            try render(eighth, kAudioChannelLayoutTag_HOA_ACN_SN3D | 81),
            try render(seventh, kAudioChannelLayoutTag_HOA_ACN_SN3D | 64), "order 8")
    }

    @Test(arguments: [4, 7])
    func `a turned head hears a field of any order as the wave from where it then comes, within 1e-5`(
        order: Int
    ) throws {
        let count = UInt32((order + 1) * (order + 1)), tag = kAudioChannelLayoutTag_HOA_ACN_SN3D | count
        let sound = Signal.noise(count: 7200, amplitude: 0.5)
        for turn in Bed.turns(3) {
            let heard = try render(Bed.wave(sound, from: side, order: order), tag, output: tag, head: turn)
            let seen = turn.inverse.act(SIMD3<Float>(side))
            let wanted = Bed.wave(sound, from: Vector(seen), order: order)
            for (a, b) in zip(heard, wanted) { #expect(Measure.largestDifference(a, b) < 1e-5) }
            let energies = [heard, wanted].map { $0.reduce(0) { $0 + Measure.energy($1) } }
            #expect(abs(energies[0] / energies[1] - 1) < 1e-5)
        }
    }

    @Test func `in order 7 a wave is heard as with the head itself up to 2 kHz, within 1 dB, on both sides`() throws {
        for azimuth in [0.0, 40, 90, 150] {
            let direction = HeadDirection.vector(azimuth: azimuth, elevation: 0)
            let tone = Signal.sine(2000, count: 4800, amplitude: 0.05)
            let field = try render(
                Bed.wave(tone, from: direction, order: 7), kAudioChannelLayoutTag_HOA_ACN_SN3D | 64)
            let speaker = try render([tone], kAudioChannelLayoutTag_Mono, head: Bed.yaw(-azimuth))
            // The far ear hears little, and what is missing of little is much in decibels.
            for ear in 0..<2 where ear == 0 || azimuth == 0 {
                #expect(abs(decibels(rms(field[ear][4800...]) / rms(speaker[ear][4800...]))) < 1, "\(azimuth)°")
            }
        }
    }

    @Test func `a field of order 0 is the same from all sides`() throws {
        let straight = try render([sound], kAudioChannelLayoutTag_HOA_ACN_SN3D | 1)
        expectAlike(
            straight, try render([sound], kAudioChannelLayoutTag_HOA_ACN_SN3D | 1, head: Bed.turns(3)[2]), "turned")
        #expect(Measure.largestDifference(straight[0], straight[1]) < 1e-6)
    }

    @Test(arguments: [(44_100.0, 44_100.0), (96_000, 96_000), (48_000, 44_100), (44_100, 48_000), (16_000, 16_000)])
    func `at any rate a wave from the left is heard as with a head`(rate: Double, soundRate: Double) throws {
        let tone = Signal.sine(500, sampleRate: soundRate, count: Int(soundRate / 10), amplitude: 0.05)
        let left = HeadDirection.vector(azimuth: 90, elevation: 0)
        let field = try render(
            Bed.wave(tone, from: left), kAudioChannelLayoutTag_HOA_ACN_SN3D | 16, rate: rate, soundRate: soundRate)
        // The same from a loudspeaker on the left: one channel, turned.
        let speaker = try render(
            [tone], kAudioChannelLayoutTag_Mono, rate: rate, soundRate: soundRate, head: Bed.yaw(-90))
        let start = 7200 - Int(rate / 500) * 20
        for ear in 0..<2 { #expect(abs(decibels(rms(field[ear][start...]) / rms(speaker[ear][start...]))) < 1) }
        #expect(rms(field[0][start...]) > 1.2 * rms(field[1][start...]))
    }

    @Test(arguments: [
        kAudioChannelLayoutTag_Quadraphonic, kAudioChannelLayoutTag_MPEG_5_1_A, kAudioChannelLayoutTag_MPEG_7_1_C,
    ])
    func `on loudspeakers a wave keeps its power within 0,7 dB all around`(output: AudioChannelLayoutTag) throws {
        let stage = try Stage(layout: output)
        try stage.start()
        try stage.startBed(Bed.wave(sound, from: HeadDirection.front), kAudioChannelLayoutTag_HOA_ACN_SN3D | 16)
        let turns = stride(from: 0.0, to: 360, by: 20).map { Bed.yaw($0) }
        for heard in try levels(stage, turns: turns) { #expect(abs(power(heard) - decibels(rms(sound[...]))) < 0.7) }
    }

    @Test func `in a channel mixer a field is told to the loudspeakers looking ahead`() throws {
        func render(_ direction: Vector, _ output: AudioChannelLayoutTag?) throws -> [[Float]] {
            let stage = try Stage(layout: output)
            try stage.register(
                "field", Bed.wave(sound, from: direction), layout: kAudioChannelLayoutTag_HOA_ACN_SN3D | 16)
            let event = try stage.registerEvent(
                "field", into: stage.channelMixer(kAudioChannelLayoutTag_HOA_ACN_SN3D | 16))
            try stage.start()
            try stage.event(event).start()
            stage.turnHead(Bed.yaw(90))
            return try stage.render(1200)
        }
        let front = try render(HeadDirection.front, nil).map { decibels(rms($0[...])) }
        #expect(abs(front[0] - front[1]) < 0.05)
        #expect(abs(power(front) - decibels(rms(sound[...]))) < 1)
        let left = try render(HeadDirection.vector(azimuth: 30, elevation: 0), nil).map { decibels(rms($0[...])) }
        #expect(left[0] > left[1] + 8)
        let surround = try render(HeadDirection.vector(azimuth: -110, elevation: 0), kAudioChannelLayoutTag_MPEG_5_1_A)
            .map { decibels(rms($0[...])) }
        #expect(surround[5] > (surround.prefix(5).max() ?? 0) + 8)
        #expect(abs(power(surround) - decibels(rms(sound[...]))) < 1)
        #expect(surround[3] == -.infinity)
        // To an output that is a field itself it goes as it is.
        let same = try render(side, kAudioChannelLayoutTag_HOA_ACN_SN3D | 16)
        #expect(same == Bed.wave(sound, from: side))
    }
}
