import Foundation
import OssicleCodecs
import OssicleTestSupport
import Testing
@testable import OssicleConversion

@Suite("Dither")
struct DitherTests {
    private static let step = 0x1p-15
    private let sixteen = StreamFormat.pcm(PCMFormat(sampleRate: 48_000, channelCount: 1, kind: .signed, bits: 16))

    /// A sound at 16 bits, back as doubles in steps of 16 bits.
    private func rounded(_ sound: [Double], dithers: Bool = true) throws -> [Double] {
        let conversion = try Conversion(from: Conversion.doubles(48_000), to: sixteen) { $0.dithers = dithers }
        let bytes = try conversion.run([sound.withUnsafeBytes { Array($0) }], frames: sound.count)[0]
        return bytes.withUnsafeBytes { $0.bindMemory(to: Int16.self).map { Double($0) } }
    }

    @Test("The mean error of what lies between two steps vanishes", arguments: [0.1, 0.3, 0.5, -0.25])
    func meanError(_ level: Double) throws {
        let count = 1 << 16
        let mean = try rounded([Double](repeating: level * Self.step, count: count)).reduce(0, +) / Double(count)
        // Five standard errors of noise of half a step RMS.
        #expect(abs(mean - level) < 5 * 0.5 / Double(count).squareRoot())
        let plain = try rounded([Double](repeating: level * Self.step, count: 64), dithers: false)
        #expect(plain.allSatisfy { $0 == 0 })
    }

    @Test(
        "The error has three times the power of plain rounding's, whatever the sound",
        arguments: [0.0, 0.3, 0.5, 1e-3 / DitherTests.step])
    func noisePower(_ amplitude: Double) throws {
        let sound = Sounds.sine(997, rate: 48_000, count: 1 << 16, amplitude: amplitude * Self.step)
        let error = zip(try rounded(sound), sound).map { $0 - $1 / Self.step }
        let power = Sounds.energy(error) / Double(error.count)
        #expect(abs(10 * log10(power / (3.0 / 12))) < 0.2)
    }

    @Test("A tone of one step has harmonics without dither and none above the noise with it")
    func harmonics() throws {
        let count = 1 << 16, bin = 1361 // 997 Hz, to a whole number of periods
        let sound = Sounds.sine(
            Double(bin) * 48_000 / Double(count), rate: 48_000, count: count, amplitude: pow(10, -90 / 20))
        func harmonics(dithers: Bool) throws -> [Double] {
            let spectrum = Spectrum(of: try rounded(sound, dithers: dithers).map { Float($0) })
            return [3, 5, 7, 9].map { order in
                let noise = (10...200).map { spectrum.energy(order * bin + $0) }.reduce(0, +) / 191
                return 10 * log10(spectrum.energy(order * bin) / max(noise, .leastNormalMagnitude))
            }
        }
        let plain = try harmonics(dithers: false), dithered = try harmonics(dithers: true)
        #expect(plain.allSatisfy { $0 > 30 }, "\(plain)")
        // A bin of noise exceeds ten times its mean once in 22,000.
        #expect(dithered.allSatisfy { $0 < 10 }, "\(dithered)")
    }

    @Test("Channels have noise of their own, and the same input the same bytes")
    func independence() throws {
        let stereo = StreamFormat.pcm(PCMFormat(sampleRate: 48_000, channelCount: 2, kind: .signed, bits: 16))
        let silence = [[Double]](repeating: [Double](repeating: 0, count: 20_000), count: 2)
        func run() throws -> [[UInt8]] {
            let conversion = try Conversion(from: Conversion.doubles(48_000, 2), to: stereo) { $0.dithers = true }
            return try conversion.run(silence.map { plane in plane.withUnsafeBytes { Array($0) } }, frames: 20_000)
        }
        let first = try run(), second = try run()
        #expect(first == second)
        let planes = first.map { plane in plane.withUnsafeBytes { $0.bindMemory(to: Int16.self).map { Float($0) } } }
        #expect(abs(Measure.correlation(planes[0], planes[1])) < 0.03)
    }

    @Test("Nothing is added where no bits are lost")
    func exactStays() throws {
        let integers = (0..<1000).map { Int16(truncatingIfNeeded: $0 &* 7919) }
        let bytes = integers.withUnsafeBytes { Array($0) }
        let twentyFour = StreamFormat.pcm(PCMFormat(sampleRate: 48_000, channelCount: 1, kind: .signed, bits: 24))
        let wide = try Conversion(from: sixteen, to: twentyFour) { $0.dithers = true }.run([bytes], frames: 1000)
        let plain = try Conversion(from: sixteen, to: twentyFour).run([bytes], frames: 1000)
        #expect(wide == plain)
    }
}
