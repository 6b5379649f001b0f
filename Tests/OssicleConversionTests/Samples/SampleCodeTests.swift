import OssicleCodecs
import OssicleCore
import Testing
@testable import OssicleConversion

/// A way integers lie in memory, told by hand: which bytes hold a value.
struct IntegerForm: CustomTestStringConvertible, Sendable {
    var bits: Int
    var bytes: Int
    var kind = PCMFormat.Kind.signed
    var isBigEndian = false
    var isAlignedHigh = false

    var testDescription: String {
        "\(kind) \(bits) in \(bytes) bytes\(isAlignedHigh ? ", high" : "")\(isBigEndian ? ", big-endian" : "")"
    }

    static let all: [IntegerForm] = [(8, 1), (12, 2), (16, 2), (20, 3), (24, 3), (24, 4), (20, 4), (32, 4), (1, 1)]
        .flatMap { bits, bytes in
            [PCMFormat.Kind.signed, .unsigned].flatMap { kind in
                [false, true].flatMap { big in
                    [false, true].map {
                        IntegerForm(bits: bits, bytes: bytes, kind: kind, isBigEndian: big, isAlignedHigh: $0)
                    }
                }
            }
        }

    func format(_ channels: Int, isInterleaved: Bool) -> PCMFormat {
        PCMFormat(
            sampleRate: 48_000, channelCount: channels, kind: kind, bits: bits, bytesPerSample: bytes,
            isBigEndian: isBigEndian,
            isAlignedHigh: isAlignedHigh, isInterleaved: isInterleaved)
    }

    /// The bytes of an integer, as arithmetic rather than shifts of bits would have it.
    func bytes(of value: Int) -> [UInt8] {
        var number = kind == .unsigned ? value + (1 << (bits - 1)) : value
        if isAlignedHigh { number *= 1 << (8 * bytes - bits) }
        let little = (0..<bytes).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        return isBigEndian ? little.reversed() : little
    }

    /// The ends, the middle and values spread over the range.
    var values: [Int] {
        let half = 1 << (bits - 1)
        let random = CounterRandom(seed: 3, object: UInt64(bits))
        let edges = [-half, -half + 1, -1, 0, half - 1].filter { $0 >= -half && $0 < half }
        return edges + (0..<500).map { Int(random.bits($0) % UInt64(2 * half)) - half }
    }
}

@Suite("Forms of samples")
struct SampleCodeTests {
    private let doubles = Conversion.doubles(48_000, 2)

    private func bytes(of planes: [[Int]], _ form: IntegerForm, isInterleaved: Bool) -> [[UInt8]] {
        guard isInterleaved else { return planes.map { $0.flatMap(form.bytes) } }
        return [planes[0].indices.flatMap { frame in planes.flatMap { form.bytes(of: $0[frame]) } }]
    }

    @Test("Every integer is read as itself over 2^(b-1) and written back bit for bit", arguments: IntegerForm.all)
    func integersAreExact(_ form: IntegerForm) throws {
        let planes = [form.values, form.values.reversed()]
        for isInterleaved in [false, true] {
            let integers = StreamFormat.pcm(form.format(2, isInterleaved: isInterleaved))
            let raw = bytes(of: planes, form, isInterleaved: isInterleaved)
            let read = try Conversion(from: integers, to: doubles).run(raw, frames: form.values.count)
            let expected = planes.map { $0.map { Double($0) / Double(1 << (form.bits - 1)) } }
            #expect(read == expected.map { plane in plane.withUnsafeBytes { Array($0) } })
            let written = try Conversion(from: doubles, to: integers).run(read, frames: form.values.count)
            #expect(written == raw)
        }
    }

    @Test("Beyond the range is clamped, ties go to even, NaN is 0", arguments: IntegerForm.all.filter { $0.bits > 1 })
    func edges(_ form: IntegerForm) throws {
        let half = Double(1 << (form.bits - 1))
        let cases: [(Double, Int)] = [
            (1, Int(half) - 1), (-1, -Int(half)), (1e300, Int(half) - 1), (-7, -Int(half)), (.infinity, Int(half) - 1),
            (-.infinity, -Int(half)), (.nan, 0), (0.5 / half, 0), (-0.5 / half, 0), (-1.5 / half, -2), (0.75 / half, 1),
            (-0.0, 0),
        ]
        let input = [cases.map(\.0)].map { plane in plane.withUnsafeBytes { Array($0) } }
        let output = StreamFormat.pcm(form.format(1, isInterleaved: true))
        let written = try Conversion(from: Conversion.doubles(48_000), to: output).run(input, frames: cases.count)
        #expect(written == [cases.map(\.1).flatMap(form.bytes)])
    }

    @Test("Bits of a word that belong to no sample are not heard")
    func strayBits() throws {
        let low = PCMFormat(sampleRate: 48_000, channelCount: 1, kind: .signed, bits: 24, bytesPerSample: 4)
        var high = low
        high.isAlignedHigh = true
        let output = Conversion.doubles(48_000)
        let fromLow = try Conversion(from: .pcm(low), to: output).run([[1, 0, 0x80, 0x5A]], frames: 1)
        let fromHigh = try Conversion(from: .pcm(high), to: output).run([[0x5A, 1, 0, 0x80]], frames: 1)
        let expected = withUnsafeBytes(of: -1 + 0x1p-23) { Array($0) }
        #expect(fromLow == [expected])
        #expect(fromHigh == [expected])
    }

    @Test(
        "Floats keep their bits through planes of Double, infinities and NaN stay what they are",
        arguments: [false, true])
    func floats(_ isBigEndian: Bool) throws {
        let values: [Float] = [
            0, -0.0, 1, -1, .pi, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity, 1e-20, 3.5,
        ]
        let bits =
            values.map(\.bitPattern)
            + (0..<1000).map { UInt32(truncatingIfNeeded: CounterRandom(seed: 1, object: 2).bits($0)) & 0xFF7F_FFFF }
        let native = PCMFormat(sampleRate: 48_000, channelCount: 1)
        var other = native
        other.isBigEndian = isBigEndian
        let bytes = bits.flatMap { word in withUnsafeBytes(of: word) { Array($0) } }
        let swapped = bits.flatMap { word in withUnsafeBytes(of: isBigEndian ? word.bigEndian : word) { Array($0) } }
        let out = try Conversion(from: .pcm(native), to: .pcm(other)).run([bytes], frames: bits.count)
        #expect(out == [swapped])
        let back = try Conversion(from: .pcm(other), to: .pcm(native)).run(out, frames: bits.count)
        #expect(back == [bytes])
        let nan = try Conversion(from: .pcm(native), to: Conversion.doubles(48_000)).run(
            [withUnsafeBytes(of: Float.nan) { Array($0) }], frames: 1)
        let isNaN = nan[0].withUnsafeBytes { $0.loadUnaligned(as: Double.self).isNaN }
        #expect(isNaN)
    }

    @Test("Doubles come out with the other byte first")
    func swappedDoubles() throws {
        let sound = Sounds.noise(300)
        let big = StreamFormat.pcm(PCMFormat(sampleRate: 48_000, channelCount: 1, bits: 64, isBigEndian: true))
        let out = try Conversion(from: Conversion.doubles(48_000), to: big).run(
            [sound.withUnsafeBytes { Array($0) }], frames: sound.count)
        #expect(out == [sound.flatMap { value in withUnsafeBytes(of: value.bitPattern.bigEndian) { Array($0) } }])
    }
}
