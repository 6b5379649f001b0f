// Frames of FLAC.

import OssicleCodecs

/// The header of a frame (RFC 9639, 9.1), checked by its checksum.
struct FlacFrameHeader {
    enum Found { case header(FlacFrameHeader), incomplete, none }

    var byteCount: Int
    var frameCount: Int
    /// 0...7 channels less one, 8 left and side, 9 side and right, 10 middle and side.
    var assignment: Int
    /// 0 when STREAMINFO tells.
    var bits: Int
    /// Of the frame, or of its first sample where sizes vary.
    var number: Int64
    var isVariable: Bool

    var channelCount: Int { assignment < 8 ? assignment + 1 : 2 }

    static func read(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Found {
        var cursor = ByteCursor(bytes, from: position)
        guard let sync = cursor.big(UInt16.self) else { return .incomplete }
        guard sync & 0xFFFE == 0xFFF8 else { return .none }
        guard let sizes = cursor.big(UInt8.self), let kinds = cursor.big(UInt8.self) else { return .incomplete }
        let sizeCode = Int(sizes >> 4), rateCode = sizes & 15, assignment = Int(kinds >> 4),
            bitCode = Int(kinds >> 1 & 7)
        guard sizeCode != 0, rateCode != 15, assignment <= 10, bitCode != 3, kinds & 1 == 0 else { return .none }
        guard let lead = cursor.big(UInt8.self) else { return .incomplete }
        let ones = (~lead).leadingZeroBitCount
        guard ones != 1, ones < 8 else { return .none }
        var number = ones == 0 ? Int64(lead) : Int64(lead & (0x7F >> UInt8(ones)))
        for _ in 0..<max(0, ones - 1) {
            guard let byte = cursor.big(UInt8.self) else { return .incomplete }
            guard byte & 0xC0 == 0x80 else { return .none }
            number = number << 6 | Int64(byte & 0x3F)
        }
        var frames = sizeCode == 1 ? 192 : sizeCode <= 5 ? 144 << sizeCode : 1 << sizeCode
        if sizeCode == 6 || sizeCode == 7 {
            guard
                let more = sizeCode == 6
                    ? cursor.big(UInt8.self).map({ Int($0) }) : cursor.big(UInt16.self).map({ Int($0) })
            else { return .incomplete }
            frames = more + 1
        }
        guard cursor.skip(rateCode < 12 ? 0 : rateCode == 12 ? 1 : 2), let sum = cursor.big(UInt8.self) else {
            return .incomplete
        }
        guard Checksum.crc8(bytes[position..<cursor.position - 1]) == sum else { return .none }
        return .header(
            FlacFrameHeader(
                byteCount: cursor.position - position, frameCount: frames, assignment: assignment,
                bits: [0, 8, 12, 0, 16, 20, 24, 32][bitCode], number: number, isVariable: sync & 1 == 1))
    }
}

/// Finds the end of a frame by walking through what it codes, without decoding it. Continues where it stopped when more
/// bytes have come.
struct FlacFrameScanner {
    enum Result { case end(Int), incomplete, damaged }
    private enum Place {
        case subframe
        case partition(Int)
        case samples(Int, parameter: Int, partition: Int)
        case footer
    }

    let header: FlacFrameHeader
    /// No valid frame takes more bytes: plain samples never take more than four bytes each.
    var largest: Int { 4096 + 5 * header.frameCount * header.channelCount }
    private let bits: Int
    private var position: Int
    private var place = Place.subframe
    private var channel = 0
    private var order = 0
    private var partitionOrder = 0
    private var parameterWidth = 4

    init(_ header: FlacFrameHeader, streamBits: Int) {
        self.header = header
        bits = header.bits > 0 ? header.bits : streamBits
        position = header.byteCount * 8
    }

    /// Looks at a frame whose first bytes are `bytes`.
    mutating func scan(_ bytes: UnsafeRawBufferPointer) -> Result {
        while true {
            var cursor = BitReader(bytes, at: position)
            switch place {
            case .subframe:
                guard channel < header.channelCount else {
                    place = .footer
                    continue
                }
                guard let next = subframe(&cursor) else { return cursor.isPastEnd ? .incomplete : .damaged }
                guard !cursor.isPastEnd else { return .incomplete }
                place = next
            case .partition(let partition):
                guard partition < 1 << partitionOrder else {
                    channel += 1
                    place = .subframe
                    continue
                }
                let parameter = Int(cursor.read(parameterWidth)),
                    count = (header.frameCount >> partitionOrder) - (partition == 0 ? order : 0)
                guard count >= 0 else { return .damaged }
                if parameter == (1 << parameterWidth) - 1 {
                    cursor.skip(Int(cursor.read(5)) * count)
                    place = .partition(partition + 1)
                } else {
                    place = .samples(count, parameter: parameter, partition: partition)
                }
                guard !cursor.isPastEnd else {
                    place = .partition(partition)
                    return .incomplete
                }
            case .samples(var count, let parameter, let partition):
                var reached = cursor
                while count > 0 {
                    guard cursor.skipUnary() else { break }
                    cursor.skip(parameter)
                    guard !cursor.isPastEnd else { break }
                    reached = cursor
                    count -= 1
                }
                position = reached.position
                place =
                    count > 0 ? .samples(count, parameter: parameter, partition: partition) : .partition(partition + 1)
                guard count == 0 else { return .incomplete }
            case .footer:
                let end = (position + 7) / 8 + 2
                guard bytes.count >= end else { return .incomplete }
                let sum = UInt16(bytes[end - 2]) << 8 | UInt16(bytes[end - 1])
                return Checksum.crc16(UnsafeRawBufferPointer(rebasing: bytes[..<(end - 2)])) == sum
                    ? .end(end) : .damaged
            }
            position = cursor.position
        }
    }

    /// What follows a subframe's header and first samples; `nil` when it makes no sense.
    private mutating func subframe(_ cursor: inout BitReader) -> Place? {
        let isSide =
            header.assignment == 8 && channel == 1 || header.assignment == 9 && channel == 0
            || header.assignment == 10 && channel == 1
        guard !cursor.flag() else { return nil }
        let kind = Int(cursor.read(6))
        var width = bits + (isSide ? 1 : 0)
        if cursor.flag() {
            let start = cursor.position
            guard cursor.skipUnary() else { return nil }
            width -= cursor.position - start
        }
        guard width > 0 else { return nil }
        switch kind {
        case 0, 1:
            cursor.skip(kind == 0 ? width : width * header.frameCount)
            guard !cursor.isPastEnd else { return .subframe }
            channel += 1
            return .subframe
        case 8...12, 32...63:
            order = kind < 32 ? kind - 8 : kind - 31
            guard order <= header.frameCount else { return nil }
            cursor.skip(order * width)
            if kind >= 32 {
                let precision = Int(cursor.read(4)) + 1
                guard precision < 16 || cursor.isPastEnd else { return nil }
                cursor.skip(5 + order * precision)
            }
            let method = cursor.read(2)
            guard method < 2 || cursor.isPastEnd else { return nil }
            parameterWidth = method == 0 ? 4 : 5
            partitionOrder = Int(cursor.read(4))
            return .partition(0)
        default: return nil
        }
    }
}
