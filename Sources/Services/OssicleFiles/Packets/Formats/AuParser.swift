// Sun's AU.

import OssicleCodecs

/// A header of big-endian numbers, a note, then audio to the end.
struct AuParser: ContainerParser {
    private var cutter: PacketCutter?
    private var audio: (offset: Int64, packetSize: Int)?

    mutating func step(_ window: ParserWindow, _ found: ParserFindings) throws(AudioFileError) -> ParserStep {
        if audio == nil { return try header(window, found) }
        return cutter?.step(window, found) ?? .done
    }

    private mutating func header(_ window: ParserWindow, _ found: ParserFindings) throws(AudioFileError) -> ParserStep {
        guard window.count >= 24 else { return .wait(24) }
        var cursor = window.cursor(at: 4)
        let numbers = (0..<5).map { _ in cursor.big(UInt32.self) ?? 0 }
        guard
            let format = AuFormat.format(
                encoding: numbers[2], sampleRate: Double(numbers[3]), channelCount: Int(numbers[4])), numbers[0] >= 24
        else {
            throw window.unsupported(
                "encoding \(numbers[2]) with \(numbers[4]) channels at \(numbers[3]) Hz behind \(numbers[0]) bytes",
                rule:
                    "AU is read with PCM, float, A-law and µ-law, at most 1024 channels, behind a header of 24 bytes or more."
            )
        }
        let offset = Int64(numbers[0]), stated = numbers[1] == .max ? nil : Int64(numbers[1])
        let there = min(stated ?? .max, window.fileSize.map { max(0, $0 - offset) } ?? .max - offset)
        let index = try PacketIndex(format, nil, at: offset, byteCount: there, window: window)
        let isCounted = stated != nil || window.isFile
        audio = (offset, format.bytesPerPacket)
        found.events += [
            .container(.au), .format(format),
            .data(offset: offset, byteCount: isCounted ? there : nil, packetCount: isCounted ? index.count : nil),
        ]
        if window.isFile {
            found.index = index
            return .done
        }
        cutter = PacketCutter(index, byteCount: stated)
        return .pass(offset)
    }

    mutating func restart(at packet: Int64?) { cutter?.restart(at: packet) }

    func byteOffset(ofPacket packet: Int64) -> (offset: Int64, isEstimate: Bool)? {
        guard let audio, case let (bytes, false) = packet.multipliedReportingOverflow(by: Int64(audio.packetSize)),
            bytes <= .max - audio.offset
        else { return nil }
        return (audio.offset + bytes, false)
    }
}

/// Encodings as AU numbers them.
enum AuFormat {
    static func format(encoding: UInt32, sampleRate: Double, channelCount: Int) -> StreamFormat? {
        guard (1...1024).contains(channelCount), sampleRate > 0 else { return nil }
        switch encoding {
        case 1, 27:
            return .packets(
                PacketFormat(
                    codec: encoding == 1 ? .muLaw : .aLaw, sampleRate: sampleRate, channelCount: channelCount,
                    framesPerPacket: 1,
                    bytesPerPacket: channelCount))
        case 2...7:
            let bits = [8, 16, 24, 32, 32, 64][Int(encoding) - 2]
            return .pcm(
                PCMFormat(
                    sampleRate: sampleRate, channelCount: channelCount, kind: encoding > 5 ? .float : .signed,
                    bits: bits,
                    isBigEndian: bits > 8, isInterleaved: true))
        default: return nil
        }
    }

    /// The number of a format; `nil` when AU has none.
    static func encoding(_ format: StreamFormat) -> UInt32? {
        (1...27).first { number in
            guard
                let candidate = Self.format(
                    encoding: number, sampleRate: format.sampleRate, channelCount: format.channelCount)
            else { return false }
            return candidate.completed(cookie: format.cookie, labels: format.channelLabels) == format
        }
    }
}
