/// What listens, as commands, manifests and programs call it.
package enum ReceiverName: Hashable, Sendable {
    case mono, binaural, array
    case ambisonic(order: Int, isN3D: Bool = false)

    /// In words.
    package static let rule =
        "receivers are mono, binaural, array, and ambisonic:0 to ambisonic:7 (SN3D; ambisonic:7:n3d for N3D)"

    /// Nil for what is none of them.
    package init?(_ text: String) {
        switch text {
        case "mono": self = .mono
        case "binaural": self = .binaural
        case "array": self = .array
        default:
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard (2...3).contains(parts.count), parts[0] == "ambisonic", let order = Int(parts[1]),
                (0...HighOrderHarmonics.greatestOrder).contains(order), parts.count == 2 || parts[2] == "n3d"
            else { return nil }
            self = .ambisonic(order: order, isN3D: parts.count == 3)
        }
    }

    /// Whether a microphone's pattern means something to it.
    package var isMicrophone: Bool { self == .mono || self == .array }
}
