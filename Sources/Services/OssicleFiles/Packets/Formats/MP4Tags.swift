// Tags in MPEG-4 files.

/// The list of tags as iTunes keeps it.
enum MP4Tags {
    static func read(_ list: UnsafeRawBufferPointer) -> AudioMetadata {
        var metadata = AudioMetadata()
        for box in MP4Box.all(in: list) {
            guard let data = MP4Box.find(["data"], in: box.body), data.count >= 8 else { continue }
            let body = UnsafeRawBufferPointer(rebasing: data[8...])
            if box.name == "trkn", body.count >= 4 { metadata.trackNumber = String(Int(body[2]) << 8 | Int(body[3])) }
            guard data[3] == 1, let field = fields.first(where: { $0.name == box.name })?.field else { continue }
            metadata[keyPath: field] = String(decoding: body, as: UTF8.self)
        }
        return metadata
    }

    /// iTunes' note on gapless playback: frames before, behind and of the recording, in hexadecimal digits.
    static func gapless(_ list: UnsafeRawBufferPointer) -> (priming: Int, valid: Int64)? {
        for box in MP4Box.all(in: list) where box.name == "----" {
            guard let name = MP4Box.find(["name"], in: box.body), name.dropFirst(4).elementsEqual("iTunSMPB".utf8),
                let data = MP4Box.find(["data"], in: box.body), data.count >= 8
            else { continue }
            let numbers = String(decoding: data[8...], as: UTF8.self).split(separator: " ").map { Int64($0, radix: 16) }
            guard numbers.count >= 4, let priming = numbers[1], let valid = numbers[3], priming >= 0, valid > 0 else {
                return nil
            }
            return (Int(clamping: priming), valid)
        }
        return nil
    }

    /// The list's body.
    static func body(_ metadata: AudioMetadata, priming: Int, remainder: Int, valid: Int64) -> [UInt8] {
        var list = MP4Builder()
        for (name, field) in fields {
            guard let text = metadata[keyPath: field] else { continue }
            list.box(name) {
                $0.box("data") { $0.bytes.append([0, 0, 0, 1, 0, 0, 0, 0] + Array(text.utf8.prefix(1 << 16))) }
            }
        }
        if let number = metadata.trackNumber.flatMap({ UInt16($0) }) {
            list.box("trkn") {
                $0.box("data") {
                    $0.bytes.append([
                        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number >> 8), UInt8(number & 0xFF), 0, 0, 0, 0,
                    ])
                }
            }
        }
        if priming > 0 || remainder > 0 {
            let zero = hexadecimal(0, 8)
            let note =
                ([zero, hexadecimal(Int64(priming), 8), hexadecimal(Int64(remainder), 8), hexadecimal(valid, 16)]
                + Array(repeating: zero, count: 8))
                .map { " " + $0 }.joined()
            list.box("----") { list in
                list.box("mean") { $0.bytes.append([0, 0, 0, 0] + Array("com.apple.iTunes".utf8)) }
                list.box("name") { $0.bytes.append([0, 0, 0, 0] + Array("iTunSMPB".utf8)) }
                list.box("data") { $0.bytes.append([0, 0, 0, 1, 0, 0, 0, 0] + Array(note.utf8)) }
            }
        }
        return list.bytes.bytes
    }

    private static func hexadecimal(_ number: Int64, _ width: Int) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Names of tags begin with a copyright sign in Mac Roman.
    private static var fields: [(name: FourCC, field: WritableKeyPath<AudioMetadata, String?>)] {
        [
            (FourCC(0xA96E_616D), \.title), (FourCC(0xA941_5254), \.artist), (FourCC(0xA961_6C62), \.album),
            (FourCC(0xA963_6D74), \.comment),
            (FourCC(0xA964_6179), \.date), (FourCC(0xA967_656E), \.genre), ("cprt", \.copyright),
            (FourCC(0xA974_6F6F), \.encodingApplication),
        ]
    }
}

/// Boxes that are put together from the inside.
struct MP4Builder {
    var bytes = ByteBuilder()

    mutating func box(_ name: FourCC, _ body: (inout MP4Builder) -> Void) {
        var inside = MP4Builder()
        body(&inside)
        bytes.big(UInt32(clamping: inside.bytes.count + 8))
        bytes.name(name)
        bytes.append(inside.bytes.bytes)
    }

    /// A box that begins with a version and flags.
    mutating func fullBox(_ name: FourCC, version: UInt8 = 0, flags: UInt32 = 0, body: (inout ByteBuilder) -> Void) {
        box(name) { inside in
            inside.bytes.big(UInt32(version) << 24 | flags)
            body(&inside.bytes)
        }
    }
}
