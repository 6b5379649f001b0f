import OssicleInspection

/// What a snapshot has of each object and voice, as rows of numbers: as members of JSON they cost a hundred times as
/// much, here and in the page.
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
    /// The words of the last snapshot in their order, with their places: most come again in the same one, and to compare
    /// two strings that are one costs less than to look one up.
    private var lastWords: [(word: String, place: Float)] = []
    /// How many words of this snapshot have come.
    private var come = 0
    /// Words that pages have.
    private var sent = 0

    /// Rows of one snapshot, and where those of each kind are.
    struct Frame {
        fileprivate(set) var numbers: [Float] = []
        fileprivate(set) var sources = 0..<0, listeners = 0..<0, voices = 0..<0
    }

    mutating func frame(_ scene: InspectedScene) -> Frame {
        if words.count > Self.wordLimit { (words, places, lastWords, sent) = ([], [:], [], 0) }
        come = 0
        var frame = Frame()
        frame.numbers.reserveCapacity(16 * (scene.sources.count + scene.listeners.count + scene.voices.count))
        frame.sources = add(scene.sources, to: &frame.numbers)
        frame.listeners = add(scene.listeners, to: &frame.numbers)
        frame.voices = add(scene.voices, to: &frame.numbers)
        return frame
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
        defer { come += 1 }
        if come < lastWords.count, lastWords[come].word == word { return lastWords[come].place }
        let place = places[word] ?? Float(words.count)
        if Int(place) == words.count {
            words.append(word)
            places[word] = place
        }
        if come < lastWords.count { lastWords[come] = (word, place) } else { lastWords.append((word, place)) }
        return place
    }

    private mutating func place(_ word: String?) -> Float { word.map { place($0) } ?? .nan }

    /// Each: number, name, position, forward, up, gain, 1 where it is muted and 2 where it is soloed, radius, distance
    /// of culling, count of the directivity's factors, and those.
    private mutating func add(_ objects: [InspectedObject], to numbers: inout [Float]) -> Range<Int> {
        let start = numbers.count
        for object in objects {
            numbers.append(Float(object.id))
            numbers.append(place(object.name))
            numbers.append(object.position)
            numbers.append(object.forward)
            numbers.append(object.up)
            numbers.append(Float(object.gain))
            numbers.append((object.isMuted ? 1 : 0) + (object.isSoloed ? 2 : 0))
            numbers.append(Float(object.radius))
            numbers.append(object.cullDistance.map { Float($0) } ?? .nan)
            numbers.append(Float(object.directivity?.values.count ?? 0))
            if let directivity = object.directivity { numbers += directivity.values }
        }
        return start..<numbers.count
    }

    /// Each: number, event, node, sound, source, listener, group, state, position, direct, early, late, peak, distance,
    /// tier.
    private mutating func add(_ voices: [InspectedVoice], to numbers: inout [Float]) -> Range<Int> {
        let start = numbers.count
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
            numbers.append(voice.early.map { Float($0) } ?? .nan)
            numbers.append(voice.late.map { Float($0) } ?? .nan)
            numbers.append(voice.peak.map { Float($0) } ?? .nan)
            numbers.append(voice.distance.map { Float($0) } ?? .nan)
            numbers.append(place(voice.tier))
        }
        return start..<numbers.count
    }
}

extension [Float] {
    fileprivate mutating func append(_ vector: SIMD3<Double>) {
        append(Float(vector.x))
        append(Float(vector.y))
        append(Float(vector.z))
    }
}
