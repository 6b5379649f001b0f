/// The channels of a sound in words, and the orders that are usual where none is stated. Labels are numbered as Core
/// Audio's.
package enum ChannelWords {
    /// The usual order of `count` channels, that of WAVE files; `nil` where there is none.
    package static func usualLabels(_ count: Int) -> [UInt32]? { usual.first { $0.labels.count == count }?.labels }

    /// "6 (5.1: left, right, centre, LFE, left surround, right surround)"; only the number where the labels are not
    /// known.
    package static func describe(_ count: Int, _ labels: [UInt32]?) -> String {
        guard let labels else { return "\(count)" + (count == 1 ? " (mono)" : count == 2 ? " (stereo)" : "") }
        if count == 1, labels == [42] { return "1 (mono)" }
        let name = usual.first { Set($0.labels) == Set(labels) }.map { $0.name + ": " } ?? ""
        return "\(count) (\(name)\(labels.map(name(of:)).joined(separator: ", ")))"
    }

    /// What a channel is called, beside its lane in a picture; its number when nobody tells.
    package static func short(_ channel: Int, of count: Int, labels: [UInt32]?) -> String {
        let known = labels ?? (count <= 2 ? usualLabels(count) : nil)
        guard let known, channel < known.count else { return "\(channel + 1)" }
        return letters[known[channel]] ?? "\(channel + 1)"
    }

    /// "5.1", by the loudspeakers in any order; `nil` where they have no common name.
    package static func layout(_ labels: [UInt32]) -> String? {
        (usual + overhead).first { Set($0.labels) == Set(labels) }?.name
    }

    private static let overhead: [(name: String, labels: [UInt32])] = [
        ("5.1.4", [1, 2, 3, 4, 5, 6, 13, 15, 16, 18]), ("7.1.4", [1, 2, 3, 4, 5, 6, 33, 34, 13, 15, 16, 18]),
    ]

    private static let usual: [(name: String, labels: [UInt32])] = [
        ("mono", [42]), ("stereo", [1, 2]), ("3.0", [1, 2, 3]), ("quadraphonic", [1, 2, 5, 6]),
        ("5.0", [1, 2, 3, 5, 6]),
        ("5.1", [1, 2, 3, 4, 5, 6]), ("6.1", [1, 2, 3, 4, 5, 6, 9]), ("7.1", [1, 2, 3, 4, 5, 6, 33, 34]),
    ]

    private static func name(of label: UInt32) -> String { names[label] ?? "label \(label)" }

    private static let names: [UInt32: String] = [
        1: "left", 2: "right", 3: "centre", 4: "LFE", 5: "left surround", 6: "right surround", 7: "left of centre",
        8: "right of centre",
        9: "rear centre", 10: "left side", 11: "right side", 12: "top", 13: "top front left", 14: "top front centre",
        15: "top front right",
        16: "top rear left", 17: "top rear centre", 18: "top rear right", 33: "rear left", 34: "rear right", 42: "mono",
        200: "ambisonic W", 201: "ambisonic X", 202: "ambisonic Y", 203: "ambisonic Z",
    ]

    private static let letters: [UInt32: String] = [
        1: "L", 2: "R", 3: "C", 4: "LFE", 5: "Ls", 6: "Rs", 7: "Lc", 8: "Rc", 9: "Cs", 10: "Lss", 11: "Rss", 33: "Rls",
        34: "Rrs", 42: "mono",
        200: "W", 201: "X", 202: "Y", 203: "Z",
    ]
}
