// The boxes that MPEG-4 files consist of (ISO/IEC 14496-12): size, type, content.

enum MPEG4Box {
    static func box(_ type: String, _ contents: [UInt8]...) -> [UInt8] { assemble(type, contents) }

    /// A box with a version and flags.
    static func full(_ type: String, version: UInt8 = 0, flags: UInt32 = 0, _ contents: [UInt8]...) -> [UInt8] {
        assemble(type, [bytes(UInt32(version) << 24 | flags)] + contents)
    }

    /// Tables of long recordings have megabytes: they are copied as wholes.
    private static func assemble(_ type: String, _ contents: [[UInt8]]) -> [UInt8] {
        let size = contents.reduce(8) { $0 + $1.count }
        var box = bytes(UInt32(clamping: size)) + Array(type.utf8)
        box.reserveCapacity(size)
        for content in contents { box += content }
        return box
    }

    /// The number of items, and their bytes.
    static func list<Item>(_ items: [Item], _ bytes: (Item) -> [UInt8]) -> [UInt8] {
        var list = Self.bytes(UInt32(clamping: items.count))
        list.reserveCapacity(4 + 8 * items.count)
        for item in items { list += bytes(item) }
        return list
    }

    /// A number, most significant byte first.
    static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
