import Foundation
import Kit

/// Sixteen notes of half a second, none like the other: which one is heard tells how late it is in the loop.
struct Song {
    static let (notes, noteSeconds) = (16, 0.5)
    let bird: Int

    /// A semitone apart, in leaps.
    func frequency(of note: Int) -> Double { 500 * pow(2, Double(bird) / 24 + Double(note * 5 % Song.notes) / 12) }

    var sound: Sound {
        let frequencies = (0..<Song.notes).map(frequency)
        return Sound(seconds: Double(Song.notes) * Song.noteSeconds) { time in
            let (note, rest) = (Int(time / Song.noteSeconds), time.truncatingRemainder(dividingBy: Song.noteSeconds))
            return 0.2 * min(rest / 0.02, (Song.noteSeconds - rest) / 0.05, 1) * sin(2 * .pi * frequencies[note] * time)
        }
    }

    /// The note that should be sung at a time, had the loop never slept.
    static func note(at time: Double) -> Int { Int(time / noteSeconds) % notes }

    /// The note that is sung. In 30 ms a semitone can be told, and the Doppler shift of a walk does not matter.
    func note(in sound: Sound, at time: Double) -> Int? {
        let levels = (0..<Song.notes).map { sound.level(at: frequency(of: $0), from: time, to: time + 0.03) }
        guard let loudest = levels.max(), loudest > -70 else { return nil }
        return levels.firstIndex(of: loudest)
    }
}
