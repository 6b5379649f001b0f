// A standard MIDI file as it is written: ticks and messages.

/// What a standard MIDI file holds (MIDI Manufacturers Association, RP-001). A value; `MIDIFile(reading:)` reads it,
/// `bytes` writes it.
package struct MIDIFile: Hashable, Sendable {
    /// How the tracks belong together.
    package enum Format: Int, Sendable {
        /// One track with everything.
        case single = 0
        /// Tracks that sound together; the first has tempo and signatures.
        case simultaneous = 1
        /// Tracks that are pieces of their own.
        case independent = 2
    }

    /// What a tick is.
    package enum Division: Hashable, Sendable {
        /// So many ticks are a quarter note, 1 … 32,767.
        case ticksPerQuarter(Int)
        /// Frames per second (24, 25, 29 for 29.97, or 30) and ticks of a frame, 1 … 255.
        case timecode(framesPerSecond: Int, ticksPerFrame: Int)

        /// Beats of so many ticks; seconds in SMPTE time.
        package func beats(_ ticks: Int) -> Double { Double(ticks) / ticksPerBeat }

        /// Ticks of a beat, or of a second. 29 frames are those of NTSC: 30,000 in 1001 seconds.
        package var ticksPerBeat: Double {
            switch self {
            case .ticksPerQuarter(let ticks): Double(max(ticks, 1))
            case .timecode(29, let ticks): Double(max(ticks, 1)) * 30_000 / 1001
            case .timecode(let frames, let ticks): Double(max(frames, 1) * max(ticks, 1))
            }
        }

        /// From the word that a header has: ticks of a quarter note or, below 0, frames per second and ticks of a
        /// frame. `nil` for 0 and for what is neither.
        package init?(resolution: Int16) {
            if resolution > 0 {
                self = .ticksPerQuarter(Int(resolution))
            } else {
                let frames = -Int(resolution >> 8), ticks = Int(resolution & 0xFF)
                guard resolution < 0, [24, 25, 29, 30].contains(frames), ticks > 0 else { return nil }
                self = .timecode(framesPerSecond: frames, ticksPerFrame: ticks)
            }
        }

        /// The word that a header has.
        package var resolution: Int16 {
            switch self {
            case .ticksPerQuarter(let ticks): Int16(clamping: ticks)
            case .timecode(let frames, let ticks): Int16(truncatingIfNeeded: -frames << 8 | ticks & 0xFF)
            }
        }
    }

    /// A message.
    package enum Message: Hashable, Sendable {
        /// A channel message: status 0x80 … 0xEF, and data of 7 bits. `data2` is 0 for messages with one data byte.
        case channel(status: UInt8, data1: UInt8, data2: UInt8)
        /// System exclusive data as it is sent, with 0xF0 in front; without 0xF7 at the end it is continued.
        case systemExclusive([UInt8])
        /// Bytes that are sent as they are: a continued system exclusive message, or any others.
        case escape([UInt8])
        /// What is in the file only: a type up to 127 and its data.
        case meta(type: UInt8, data: [UInt8])
    }

    /// A message and its time.
    package struct Event: Hashable, Sendable {
        /// Ticks since the track began.
        package var tick: Int
        package var message: Message

        package init(tick: Int, _ message: Message) { (self.tick, self.message) = (tick, message) }
    }

    /// Messages in order of their times.
    package struct Track: Hashable, Sendable {
        package var events: [Event]
        /// The tick at which the track ends, not before its last event.
        package var end: Int

        /// - Parameter end: `nil` for the last event's tick.
        package init(_ events: [Event] = [], end: Int? = nil) {
            self.events = events
            self.end = max(end ?? 0, events.last?.tick ?? 0)
        }
    }

    package var format: Format
    package var division: Division
    package var tracks: [Track]
    /// What was wrong with a file that was read, and what was made of it.
    package var warnings: [MIDIFileWarning] = []

    package init(format: Format, division: Division, tracks: [Track]) {
        (self.format, self.division, self.tracks) = (format, division, tracks)
    }

    /// No tick lies later: a time that fits all the arithmetic there is, and 2,000 years at 480 ticks.
    package static let lastTick = 1 << 46
    /// The largest number of a variable length: four bytes of seven bits.
    package static let largestVariable = 0x0FFF_FFFF
}

/// Something in a file that is not as it should be, and that reading passed over. Positions count bytes of the file.
package struct MIDIFileWarning: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// The chunk states more bytes than there are.
        case cutOff
        /// The header names another number of tracks.
        case wrongTrackCount
        /// Bytes that belong to no message were passed over.
        case strayBytes
        /// A data byte with the top bit set; the bit was cleared.
        case badData
        /// The track has no end-of-track event.
        case unfinishedTrack
        /// A number of more than four bytes, or a time beyond the last tick.
        case badNumber
        /// Something behind the end of a track or of the last chunk.
        case trailingBytes
        /// The header's numbers are not of a known kind.
        case oddHeader
    }

    package let kind: Kind
    package let position: Int
    package let finding: String

    package init(_ kind: Kind, at position: Int, _ finding: String) {
        (self.kind, self.position, self.finding) = (kind, position, finding)
    }

    package var description: String { "byte \(position): \(finding)" }
}
