import OssicleInspection

/// What a snapshot has of each object and voice, as rows of numbers behind the message's JSON: as members of JSON they
/// cost a hundred times as much, here and in the page.
///
/// A word is the number of its place in a table, of which pages are sent what is added. A number is a 32-bit float, so
/// that objects' numbers are exact up to 16,777,216; what is nil is NaN.
struct FrameRows {
    /// Words from `first` on. Where `first` is 0 a new table begins.
    struct Addition: Encodable {
        let first: Int
        let words: [String]
    }

    /// Words above which a table is begun anew: names may come without end.
    static let wordLimit = 4096

    private(set) var words: [String] = []
    private var places: [String: Float] = [:]
    /// Words that pages have.
    private var sent = 0

    /// Rows of one snapshot.
    struct Frame: Encodable {
        /// Without what is in the rows.
        let snapshot: EngineSnapshot
        let sources, listeners, voices: PackedNumbers

        private enum CodingKeys: CodingKey { case sourceRows, listenerRows, voiceRows }

        func encode(to encoder: any Encoder) throws {
            try snapshot.encode(to: encoder)
            guard snapshot.scene != nil else { return }
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(sources, forKey: .sourceRows)
            try container.encode(listeners, forKey: .listenerRows)
            try container.encode(voices, forKey: .voiceRows)
        }
    }

    /// - Parameter snapshot: its paths and rays are left out.
    mutating func frame(_ snapshot: EngineSnapshot) -> Frame {
        if words.count > Self.wordLimit { (words, places, sent) = ([], [:], 0) }
        var rest = snapshot
        guard let scene = snapshot.scene else {
            return Frame(
                snapshot: rest, sources: PackedNumbers([]), listeners: PackedNumbers([]), voices: PackedNumbers([]))
        }
        rest.scene?.paths = PackedNumbers([])
        rest.scene?.rayCourses = PackedNumbers([])
        rest.scene?.sources = []
        rest.scene?.listeners = []
        rest.scene?.voices = []
        return Frame(
            snapshot: rest, sources: rows(scene.sources), listeners: rows(scene.listeners), voices: rows(scene.voices))
    }

    /// What the pages lack by now; nil for nothing.
    mutating func takeAddition() -> Addition? {
        guard sent < words.count else { return nil }
        defer { sent = words.count }
        return Addition(first: sent, words: Array(words[sent...]))
    }

    /// All that there is, for a page that is new.
    var whole: Addition { Addition(first: 0, words: words) }

    private mutating func place(_ word: String) -> Float {
        if let place = places[word] { return place }
        let place = Float(words.count)
        words.append(word)
        places[word] = place
        return place
    }

    private mutating func place(_ word: String?) -> Float { word.map { place($0) } ?? .nan }

    /// Each: number, name, position, forward, up, gain, 1 where it is muted and 2 where it is soloed, radius, distance
    /// of culling, count of the directivity's factors, and those.
    private mutating func rows(_ objects: [InspectedObject]) -> PackedNumbers {
        var numbers: [Float] = []
        numbers.reserveCapacity(objects.count * 16)
        for object in objects {
            numbers.append(Float(object.id))
            numbers.append(place(object.name))
            for vector in [object.position, object.forward, object.up] {
                for axis in 0..<3 { numbers.append(axis < vector.count ? Float(vector[axis]) : 0) }
            }
            numbers.append(Float(object.gain))
            numbers.append((object.isMuted ? 1 : 0) + (object.isSoloed ? 2 : 0))
            numbers.append(Float(object.radius))
            numbers.append(object.cullDistance.map { Float($0) } ?? .nan)
            let factors = object.directivity?.values ?? []
            numbers.append(Float(factors.count))
            numbers += factors
        }
        return PackedNumbers(numbers)
    }

    /// Each: number, event, node, sound, source, listener, group, state, position, direct, early, late, peak, distance,
    /// tier.
    private mutating func rows(_ voices: [InspectedVoice]) -> PackedNumbers {
        var numbers: [Float] = []
        numbers.reserveCapacity(voices.count * 15)
        for voice in voices {
            numbers.append(Float(voice.id))
            numbers.append(place(voice.event))
            numbers.append(place(voice.node))
            numbers.append(place(voice.sound))
            numbers.append(voice.source.map { Float($0) } ?? .nan)
            numbers.append(voice.listener.map { Float($0) } ?? .nan)
            numbers.append(place(voice.group))
            numbers.append(place(voice.state))
            numbers.append(Float(voice.position))
            numbers.append(Float(voice.direct))
            for value in [voice.early, voice.late, voice.peak, voice.distance] {
                numbers.append(value.map { Float($0) } ?? .nan)
            }
            numbers.append(place(voice.tier))
        }
        return PackedNumbers(numbers)
    }
}
