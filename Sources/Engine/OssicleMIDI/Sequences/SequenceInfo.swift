// What a sequence says of itself.

/// Facts from meta events: titles and the like.
package struct SequenceInfo: Hashable, Sendable {
    /// The first name of a track, the tempo track first.
    package var title: String?
    package var copyright: String?
    /// The first text.
    package var comments: String?
    /// As "Eb minor".
    package var key: String?
    /// As "6/8".
    package var signature: String?
    /// Beats per minute at the beginning.
    package var tempo = TempoMap.usual
    package var seconds = 0.0

    package init(_ sequence: MIDISequence) {
        let events = ([sequence.tempoTrack] + sequence.tracks).flatMap(\.events)
        func data(_ wanted: UInt8) -> [UInt8]? {
            for event in events { if case .meta(wanted, let data) = event.kind { return data } }
            return nil
        }
        func text(_ type: UInt8) -> String? {
            data(type).flatMap { $0.isEmpty ? nil : String(validating: $0, as: UTF8.self) ?? Self.latin($0) }
        }
        (title, copyright, comments) = (text(3), text(2), text(1))
        if let key = data(0x59), key.count >= 2 {
            self.key = Self.key(sharps: Int8(bitPattern: key[0]), isMinor: key[1] == 1)
        }
        if let first = sequence.meterMap.signatures.first { signature = "\(first.numerator)/\(first.denominator)" }
        let map = sequence.tempoMap
        (tempo, seconds) = (map.tempo(at: 0), map.seconds(at: sequence.length))
    }

    /// All that is known, as texts under the keys that Core Audio's info dictionaries have.
    package var texts: [(key: String, value: String)] {
        let known: [(String, String?)] = [
            ("title", title), ("copyright", copyright), ("comments", comments), ("key signature", key),
            ("time signature", signature), ("tempo", "\(tempo)"), ("approximate duration in seconds", "\(seconds)"),
        ]
        return known.compactMap { key, value in value.map { (key, $0) } }
    }

    private static func latin(_ bytes: [UInt8]) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    private static func key(sharps: Int8, isMinor: Bool) -> String? {
        guard (-7...7).contains(sharps) else { return nil }
        let names = [
            "Fb", "Cb", "Gb", "Db", "Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#", "G#", "D#", "A#",
        ]
        return names[Int(sharps) + 8 + (isMinor ? 3 : 0)] + (isMinor ? " minor" : " major")
    }
}
