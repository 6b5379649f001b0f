import AVFoundation

/// Listens to the singer and tells when a note of the song has been held for a while.
///
/// Belongs to the tap that it listens through; others may ask when the tap's block has returned.
final class Judge {
    struct Note {
        let key: Double
        let start: Double
        let seconds: Double
    }

    private static let tolerance = 0.35
    private static let buffersToHold = 4
    private let song: [Note]
    private(set) var heard: [[Double]]
    private(set) var hits: Set<Int> = []
    private var held = 0

    init(_ song: [Note]) {
        self.song = song
        heard = Array(repeating: [], count: song.count)
    }

    /// Whether a note has just been got right.
    func listen(to samples: [Float], at time: AVAudioTime) -> Bool {
        let start = Double(time.sampleTime) / time.sampleRate
        let end = start + Double(samples.count) / time.sampleRate
        // Where one note goes over into the next nobody is right.
        guard let index = song.firstIndex(where: { $0.start + 0.06 <= start && end <= $0.start + $0.seconds - 0.04 }),
            let frequency = PitchDetector.frequency(of: samples, rate: time.sampleRate)
        else {
            held = 0
            return false
        }
        let key = PitchDetector.key(of: frequency)
        heard[index].append(key)
        held = abs(key - song[index].key) < Self.tolerance ? held + 1 : 0
        return held >= Self.buffersToHold && hits.insert(index).inserted
    }
}
