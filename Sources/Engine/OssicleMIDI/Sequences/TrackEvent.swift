// One event of a track.

/// What happens at a beat of a track.
package struct TrackEvent: Sendable {
    /// Beats since the track's start. One beat is a quarter note, or a second in a sequence of seconds.
    package internal(set) var beat: Double
    /// Number of the event in its track, in order of making: what comes first of one beat.
    package internal(set) var order: UInt64
    package var kind: Kind

    package init(beat: Double, _ kind: Kind) { (self.beat, order, self.kind) = (beat, 0, kind) }

    /// What kind of event it is, with its values.
    package enum Kind: Hashable, Sendable {
        /// A note with its length.
        case note(Note)
        /// Another channel message: status 0x80 … 0xEF, data of 7 bits.
        case channel(status: UInt8, data1: UInt8, data2: UInt8)
        /// Bytes sent as they are, most often a system exclusive message with 0xF0 and 0xF7.
        case raw([UInt8])
        /// What MIDI files have besides messages.
        case meta(type: UInt8, data: [UInt8])
        /// Beats per minute from here on; in the tempo track only.
        case tempo(Double)
        /// A note whose pitch and velocity are fractions.
        case extendedNote(ExtendedNote)
        /// Bytes for the client's callback.
        case user([UInt8])
        /// A parameter of the track's unit.
        case parameter(Parameter)
        /// A preset of the track's unit.
        case preset(scope: UInt32, element: UInt32, PresetReference)
    }

    /// A note of a MIDI channel.
    package struct Note: Hashable, Sendable {
        /// 0 … 15.
        package var channel: UInt8
        /// 0 … 127.
        package var key: UInt8
        /// 0 … 127; 0 ends a note and begins none.
        package var velocity: UInt8
        /// 0 … 127.
        package var releaseVelocity: UInt8
        /// Beats, 0 or more.
        package var duration: Double

        package init(
            channel: UInt8, key: UInt8, velocity: UInt8, releaseVelocity: UInt8 = 0, duration: Double
        ) {
            self.channel = channel & 15
            self.key = min(key, 127)
            self.velocity = min(velocity, 127)
            self.releaseVelocity = min(releaseVelocity, 127)
            self.duration = duration
        }
    }

    /// A note of an instrument's own.
    package struct ExtendedNote: Hashable, Sendable {
        package var instrument: UInt32
        package var group: UInt32
        /// Beats, 0 or more.
        package var duration: Double
        /// MIDI note with a fraction.
        package var pitch: Float
        /// 0 … 127.
        package var velocity: Float
        /// Further controls, each with its number.
        package var controls: [Control]

        package struct Control: Hashable, Sendable {
            package var id: UInt32
            package var value: Float
            package init(id: UInt32, value: Float) { (self.id, self.value) = (id, value) }
        }

        package init(
            instrument: UInt32, group: UInt32, duration: Double, pitch: Float, velocity: Float,
            controls: [Control] = []
        ) {
            self.instrument = instrument
            self.group = group
            self.duration = duration
            self.pitch = pitch
            self.velocity = velocity
            self.controls = controls
        }

        /// The nearest note there is in MIDI 1.0; the group is its channel.
        var rounded: Note {
            Note(
                channel: UInt8(truncatingIfNeeded: group & 15), key: Self.sevenBits(pitch),
                velocity: Self.sevenBits(velocity), duration: duration)
        }

        private static func sevenBits(_ value: Float) -> UInt8 {
            value.isNaN ? 0 : UInt8(min(max(value.rounded(), 0), 127))
        }
    }

    /// The value of a unit's parameter.
    package struct Parameter: Hashable, Sendable {
        package var id: UInt32
        package var scope: UInt32
        package var element: UInt32
        package var value: Float

        package init(id: UInt32, scope: UInt32, element: UInt32, value: Float) {
            self.id = id
            self.scope = scope
            self.element = element
            self.value = value
        }
    }

    /// Beats after `beat` at which it is over.
    package var duration: Double {
        switch kind {
        case .note(let note): note.velocity == 0 ? 0 : note.duration
        case .extendedNote(let note): note.duration
        default: 0
        }
    }

    /// Whether it belongs into the tempo track and nowhere else: tempo, time signature and SMPTE offset.
    package var isOfTempoTrack: Bool {
        switch kind {
        case .tempo: true
        case .meta(let type, _): [0x51, 0x54, 0x58].contains(type)
        default: false
        }
    }
}

/// A preset as the facade keeps it: a property list. Compared by identity.
package final class PresetReference: Hashable, @unchecked Sendable {
    package let object: AnyObject

    /// - Parameter object: an object that no one changes any more.
    package init(_ object: AnyObject) { self.object = object }

    package static func == (a: PresetReference, b: PresetReference) -> Bool { a === b }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
