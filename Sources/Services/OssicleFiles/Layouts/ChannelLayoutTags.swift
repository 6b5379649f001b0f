// Channel layouts by name.

/// The layout tags of the Core Audio Format specification: a number in the upper 16 bits, the count of channels in the lower.
enum ChannelLayoutTags {
    private static let discrete: UInt32 = 147, ambisonicSN3D: UInt32 = 190, ambisonicN3D: UInt32 = 191

    /// The labels a tag stands for; `nil` for one that names none.
    static func labels(_ tag: UInt32) -> [UInt32]? {
        let count = tag & 0xFFFF
        return switch tag >> 16 {
        case discrete: (0..<count).map { 1 << 16 | $0 }
        case ambisonicSN3D: (0..<count).map { 2 << 16 | $0 }
        case ambisonicN3D: (0..<count).map { 3 << 16 | $0 }
        default: table.first { $0.number == tag >> 16 && $0.labels.count == Int(count) }?.labels
        }
    }

    /// The tag for exactly these labels, if there is one.
    static func tag(_ labels: [UInt32]) -> UInt32? {
        let count = UInt32(clamping: labels.count)
        for number in [discrete, ambisonicSN3D, ambisonicN3D] where count > 0 && Self.labels(number << 16 | count) == labels { return number << 16 | count }
        return table.first { $0.labels == labels }.map { $0.number << 16 | count }
    }

    private static let table: [(number: UInt32, labels: [UInt32])] = [
        (100, [42]), (101, [1, 2]), (102, [301, 302]), (103, [38, 39]), (104, [204, 205]), (105, [206, 207]), (106, [208, 209]),
        (107, [200, 201, 202, 203]), (108, [1, 2, 5, 6]), (109, [1, 2, 5, 6, 3]), (110, [1, 2, 5, 6, 3, 9]), (111, [1, 2, 5, 6, 3, 9, 10, 11]),
        (112, [1, 2, 5, 6, 13, 15, 16, 18]),
        (113, [1, 2, 3]), (114, [3, 1, 2]), (115, [1, 2, 3, 9]), (116, [3, 1, 2, 9]),
        (117, [1, 2, 3, 5, 6]), (118, [1, 2, 5, 6, 3]), (119, [1, 3, 2, 5, 6]), (120, [3, 1, 2, 5, 6]),
        (121, [1, 2, 3, 4, 5, 6]), (122, [1, 2, 5, 6, 3, 4]), (123, [1, 3, 2, 5, 6, 4]), (124, [3, 1, 2, 5, 6, 4]),
        (125, [1, 2, 3, 4, 5, 6, 9]), (126, [1, 2, 3, 4, 5, 6, 7, 8]), (127, [3, 7, 8, 1, 2, 5, 6, 4]), (128, [1, 2, 3, 4, 5, 6, 33, 34]),
        (129, [1, 2, 5, 6, 3, 4, 7, 8]), (130, [1, 2, 3, 4, 5, 6, 38, 39]),
        (131, [1, 2, 9]), (132, [1, 2, 5, 6]), (133, [1, 2, 4]), (134, [1, 2, 4, 9]), (135, [1, 2, 4, 5, 6]), (136, [1, 2, 3, 4]),
        (137, [1, 2, 3, 4, 9]), (138, [1, 2, 5, 6, 4]), (139, [1, 2, 5, 6, 3, 9]), (140, [1, 2, 5, 6, 3, 33, 34]),
        (141, [3, 1, 2, 5, 6, 9]), (142, [3, 1, 2, 5, 6, 9, 4]), (143, [3, 1, 2, 5, 6, 33, 34]), (144, [3, 1, 2, 5, 6, 33, 34, 9]),
        (148, [1, 2, 5, 6, 3, 7, 8]), (183, [3, 1, 2, 5, 6, 33, 34, 4]), (184, [3, 1, 2, 5, 6, 4, 13, 15]),
    ]
}
