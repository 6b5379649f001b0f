import OssicleAcoustics
import OssicleResponses
import OssicleScenes

/// What a source sends around its axis, in words: a cardioid of the family, by its name, power and decibels from front
/// to back (`cardioid`, `cardioid:2`, `cardioid:1:10,12,15,18,20,20`).
package struct SourcePattern: Sendable, Hashable {
    package let directivity: Directivity

    /// In words.
    package static let rule =
        "patterns are \(MicrophonePattern.named.map(\.name).joined(separator: ", ")), each with :N for its Nth power (1 to 20) and :N:DB for dB from front to back"

    /// Whether a text begins as a pattern's name does, and so is no file's.
    package static func isPattern(_ text: String) -> Bool {
        text.isEmpty || MicrophonePattern.named.contains { text == $0.name || text.hasPrefix($0.name + ":") }
    }

    /// Nil for what is none.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let named = MicrophonePattern.named.first(where: { $0.name == parts.first }) else { return nil }
        let order = parts.count > 1 ? Double(parts[1]) ?? 0 : 1
        guard parts.count <= 3, (1...20).contains(order) else { return nil }
        if parts.count < 3 {
            directivity = Directivity(.cardioid(pattern: 1 - named.pressure, sharpness: order))
            return
        }
        let levels = parts[2].split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? -1 }
        guard levels.allSatisfy({ (0...200).contains($0) }), let bands = BandList(levels) else { return nil }
        directivity = Directivity(order: order, frontToBack: bands.bands)
    }
}

extension MicrophonePattern {
    /// A name, or p by octave band with commas between them; nil for what is none.
    package init?(_ text: String) {
        if let named = Self.named.first(where: { $0.name == text }) {
            self.init([named.pressure])
        } else {
            self.init(text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? -1 })
        }
    }

    /// p by octave band, see `BandList`.
    package init?(_ values: [Double]) {
        guard values.allSatisfy({ (0...1).contains($0) }), let list = BandList(values) else { return nil }
        self.init(pressure: list.bands)
    }
}
