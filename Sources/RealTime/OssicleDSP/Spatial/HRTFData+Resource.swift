import COssicle
import OssicleCore

extension HRTFData {
    /// The built-in head: KEMAR, after Gardner and Martin (1994), in the stored rate that resamples best to `rate`.
    package static func kemar(for rate: Double) throws(HRTFDataError) -> HRTFData {
        try HRTFData(resource: UnsafeRawBufferPointer(start: ossicle_kemar(), count: ossicle_kemar_size()), for: rate)
    }

    /// Reads the format that `Scripts/prepare-kemar.py` describes. Every count is checked before anything is read by
    /// it.
    package init(resource: UnsafeRawBufferPointer, for rate: Double) throws(HRTFDataError) {
        let reader = ResourceReader(bytes: resource)
        let header = try Header(reader)
        let rateIndex = header.bestRate(for: rate)
        let filterBytes = 4 + 2 * header.taps
        let delaysAt = header.end + 12 * header.directions
        let filtersAt = delaysAt + 8 * header.directions + rateIndex * header.directions * 2 * filterBytes

        var directions: [Direction] = []
        directions.reserveCapacity(header.directions)
        for index in 0..<header.directions {
            let at = header.end + 12 * index
            let vector = Vector(Double(reader.float(at)), Double(reader.float(at + 4)), Double(reader.float(at + 8)))
            let delays = SIMD2(reader.float(delaysAt + 8 * index), reader.float(delaysAt + 8 * index + 4))
            let left = filtersAt + 2 * index * filterBytes
            directions.append(
                Direction(
                    vector: vector, delays: delays, left: try reader.taps(left, header.taps),
                    right: try reader.taps(left + filterBytes, header.taps)))
            try HRTFData.check(vector, delays)
        }
        self.init(
            sampleRate: Double(header.rates[rateIndex]), tapCount: header.taps, directions: directions, isLeftHalf: true
        )
    }

    private static func check(_ vector: Vector, _ delays: SIMD2<Float>) throws(HRTFDataError) {
        let length = vector.magnitude
        guard (0.999...1.001).contains(length) else {
            throw .unusable(field: "length of a direction", value: length, rule: "1")
        }
        guard vector.x <= 0 else {
            throw .unusable(field: "x of a direction", value: vector.x, rule: "at most 0 (left half)")
        }
        for delay in [delays.x, delays.y] {
            guard (0...0.01).contains(delay) else {
                throw .unusable(field: "delay in seconds", value: Double(delay), rule: "0 ... 0.01")
            }
        }
    }
}

private struct Header {
    let directions, taps: Int
    let rates: [UInt32]
    var end: Int { 24 + 4 * rates.count }

    init(_ reader: ResourceReader) throws(HRTFDataError) {
        guard reader.count >= 24, reader.startsWith("OSSIHRTF") else { throw .notAHead }
        guard reader.word(8) == 1 else { throw .unsupportedVersion(reader.word(8)) }
        directions = try Header.check(reader.word(12), "number of directions", 4...65_536)
        taps = try Header.check(reader.word(16), "number of taps", 16...4096)
        let rateCount = try Header.check(reader.word(20), "number of sample rates", 1...8)
        let expected = 24 + 4 * rateCount + 20 * directions + rateCount * directions * 2 * (4 + 2 * taps) + 8
        guard reader.count == expected else { throw .wrongSize(bytes: reader.count, expected: expected) }
        guard reader.checksumMatches else { throw .damaged }
        rates = (0..<rateCount).map { reader.word(24 + 4 * $0) }
        for rate in rates { _ = try Header.check(rate, "sample rate", 8000...384_000) }
    }

    /// The same rate if it is there, else one of the same family (whole ratios keep the filters closest), else the
    /// highest.
    func bestRate(for rate: Double) -> Int {
        let family = rates.firstIndex { stored in
            let ratio = max(rate, Double(stored)) / min(rate, Double(stored))
            return ratio == ratio.rounded()
        }
        return family ?? rates.indices.max { rates[$0] < rates[$1] } ?? 0
    }

    private static func check(
        _ value: UInt32, _ field: String, _ range: ClosedRange<UInt32>
    ) throws(HRTFDataError) -> Int {
        guard range.contains(value) else {
            throw .unusable(field: field, value: Double(value), rule: "\(range.lowerBound) ... \(range.upperBound)")
        }
        return Int(value)
    }
}

/// Little-endian reading at offsets the header has vouched for.
private struct ResourceReader {
    let bytes: UnsafeRawBufferPointer
    var count: Int { bytes.count }

    func startsWith(_ magic: StaticString) -> Bool {
        (0..<magic.utf8CodeUnitCount).allSatisfy { bytes[$0] == magic.utf8Start[$0] }
    }

    func word(_ at: Int) -> UInt32 { UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)) }
    func float(_ at: Int) -> Float { Float(bitPattern: word(at)) }

    func taps(_ at: Int, _ count: Int) throws(HRTFDataError) -> [Float] {
        let scale = float(at)
        guard scale > 0, scale < 1 else {
            throw .unusable(field: "scale of a filter", value: Double(scale), rule: "between 0 and 1")
        }
        return (0..<count).map {
            Float(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: at + 4 + 2 * $0, as: Int16.self))) * scale
        }
    }

    /// FNV-1a of everything before the last eight bytes.
    var checksumMatches: Bool {
        let body = bytes[..<(count - 8)]
        let sum = body.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        return sum == UInt64(word(count - 8)) | UInt64(word(count - 4)) << 32
    }
}
