import OssicleChannels

/// What listens, as commands, manifests and programs call it.
package enum ReceiverName: Hashable, Sendable {
    case mono, binaural, array
    case ambisonic(AmbisonicLayout)

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
            guard let field = AmbisonicLayout(name: text) else { return nil }
            self = .ambisonic(field)
        }
    }

    /// Whether a microphone's pattern means something to it.
    package var isMicrophone: Bool { self == .mono || self == .array }
}
