// What can be wrong with a call on a sequence.

import OssicleCore

/// A refusal that concerns a sequence, a track or a player.
package typealias SequenceError = Fault<SequenceFault>

package enum SequenceFault: FaultKind {
    /// A beat, duration, tempo or rate out of its range.
    case outOfRange
    /// An event in a track that cannot have it.
    case wrongTrack
    /// A track or an event that is not there.
    case notFound
    /// A player without a sequence.
    case noSequence
    /// Not while it plays, or only then.
    case wrongState
    /// A destination that cannot be played to.
    case badDestination

    /// Core Audio's status.
    package var status: Int32 {
        switch self {
        case .outOfRange: -50 // parameter
        case .wrongTrack: -10853 // kAudioToolboxErr_InvalidEventType
        case .notFound: -10858 // kAudioToolboxErr_TrackNotFound
        case .noSequence: -10854 // kAudioToolboxErr_NoSequence
        case .wrongState: -10852 // kAudioToolboxErr_InvalidPlayerState
        case .badDestination: -10855 // kAudioToolboxErr_IllegalTrackDestination
        }
    }
}

extension SequenceError {
    static func beat(_ object: String, _ value: Double) -> SequenceError {
        SequenceError(
            .outOfRange, object: object, found: "beat \(value)", rule: "A beat is a number within ±2^40.",
            cure: "Check the computation it comes from.")
    }

    static func value(_ object: String, _ found: String, _ rule: String) -> SequenceError {
        SequenceError(.outOfRange, object: object, found: found, rule: rule, cure: "Use such a value.")
    }

    static func tempoTrack(_ kind: String) -> SequenceError {
        SequenceError(
            .wrongTrack, object: "the tempo track", found: kind,
            rule: "It holds tempi, time signatures, SMPTE offsets and other meta events.",
            cure: "Add the event to another track.")
    }

    static func notTempoTrack(_ kind: String) -> SequenceError {
        SequenceError(
            .wrongTrack, object: "a music track", found: kind,
            rule: "Tempi, time signatures and SMPTE offsets are in the tempo track.", cure: "Add the event there.")
    }

    static let automation = SequenceError(
        .wrongTrack, object: "a track of automated parameters", found: "an event that is no parameter",
        rule: "Such a track holds parameters only.", cure: "Switch usesAutomatedParameters off, or use another track.")

    static let noEvent = SequenceError(
        .notFound, object: "the iterator", found: "no event at its position", rule: "An event is there to be edited.",
        cure: "Ask whether there is a current event.")

    static let noSequence = SequenceError(
        .noSequence, object: "the player", found: "no sequence", rule: "A player plays a sequence.",
        cure: "Give it one first.")
}
