// Metadata in MPEG-4 files, the way iTunes writes it.

enum MPEG4Tags {
    private static let text: UInt32 = 1, binary: UInt32 = 0

    /// The user data box; nothing when there is nothing to say.
    /// - Parameter gaps: priming, padding and length in frames, for programs that do not read edit lists.
    static func box(_ metadata: AudioMetadata, gaps: (priming: Int, remainder: Int, frames: Int64)?) -> [UInt8] {
        let texts: [([UInt8], String?)] = [
            (apple("nam"), metadata.title), (apple("ART"), metadata.artist), (apple("alb"), metadata.album),
            (apple("cmt"), metadata.comment),
            (apple("day"), metadata.date), (apple("gen"), metadata.genre), (Array("cprt".utf8), metadata.copyright),
            (apple("too"), metadata.encodingApplication),
        ]
        let items =
            texts.flatMap { type, value in value.map { item(type, data(text, Array($0.utf8))) } ?? [] }
            + track(metadata.trackNumber) + gapless(gaps)
        guard !items.isEmpty else { return [] }
        let handler = MPEG4Box.full("hdlr", MPEG4Box.zeros(4), Array("mdirappl".utf8), MPEG4Box.zeros(9))
        return MPEG4Box.box("udta", MPEG4Box.full("meta", handler, MPEG4Box.box("ilst", items)))
    }

    /// The types that begin with a copyright sign, in Mac Roman.
    private static func apple(_ name: String) -> [UInt8] { [0xA9] + Array(name.utf8) }

    private static func item(_ type: [UInt8], _ content: [UInt8]) -> [UInt8] {
        MPEG4Box.bytes(UInt32(clamping: content.count + 8)) + type + content
    }

    private static func data(_ kind: UInt32, _ content: [UInt8]) -> [UInt8] {
        MPEG4Box.box("data", MPEG4Box.bytes(kind), MPEG4Box.zeros(4), content)
    }

    /// "3" or "3/12".
    private static func track(_ number: String?) -> [UInt8] {
        let parts = (number ?? "").split(separator: "/").map { UInt16($0) ?? 0 }
        guard let first = parts.first, first > 0 else { return [] }
        let total = parts.count > 1 ? parts[1] : 0
        return item(Array("trkn".utf8), data(binary, [0, 0] + MPEG4Box.bytes(first) + MPEG4Box.bytes(total) + [0, 0]))
    }

    private static func gapless(_ gaps: (priming: Int, remainder: Int, frames: Int64)?) -> [UInt8] {
        guard let gaps else { return [] }
        let numbers = [
            hexadecimal(0, 8), hexadecimal(Int64(gaps.priming), 8), hexadecimal(Int64(gaps.remainder), 8),
            hexadecimal(gaps.frames, 16),
        ]
        let words = " " + (numbers + [String](repeating: hexadecimal(0, 8), count: 8)).joined(separator: " ")
        return MPEG4Box.box(
            "----", MPEG4Box.full("mean", Array("com.apple.iTunes".utf8)),
            MPEG4Box.full("name", Array("iTunSMPB".utf8)), data(text, Array(words.utf8)))
    }

    private static func hexadecimal(_ number: Int64, _ digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
