import OssicleMIDI

/// A controller's value.
open class AVMIDIControlChangeEvent: AVMIDIChannelEvent {
    /// Which controller.
    public let messageType: MessageType
    /// 0 … 127.
    public let value: UInt32
    override var message: (status: UInt8, data1: UInt8, data2: UInt8)? {
        (0xB0, UInt8(messageType.rawValue), UInt8(min(value, 127)))
    }

    /// A value for a controller of a channel.
    public init(channel: UInt32, messageType: AVMIDIControlChangeEvent.MessageType, value: UInt32) {
        (self.messageType, self.value) = (messageType, value)
        super.init(channel)
    }

    /// Controllers, by their numbers.
    public enum MessageType: Int, Sendable {
        /// Bank of sounds, coarse.
        case bankSelect = 0
        /// Modulation wheel.
        case modWheel = 1
        /// Breath.
        case breath = 2
        /// Foot pedal.
        case foot = 4
        /// Time of a glide between notes.
        case portamentoTime = 5
        /// Value of the parameter that was selected.
        case dataEntry = 6
        /// Volume.
        case volume = 7
        /// Balance.
        case balance = 8
        /// Place between left and right.
        case pan = 10
        /// Volume within the volume.
        case expression = 11
        /// Sustaining pedal.
        case sustain = 64
        /// Gliding between notes, on or off.
        case portamento = 65
        /// Pedal that sustains what sounds.
        case sostenuto = 66
        /// Soft pedal.
        case soft = 67
        /// Pedal for notes that run into each other.
        case legatoPedal = 68
        /// Second holding pedal.
        case hold2Pedal = 69
        /// Resonance of the filter.
        case filterResonance = 71
        /// Time in which a note fades.
        case releaseTime = 72
        /// Time in which a note rises.
        case attackTime = 73
        /// Corner of the filter.
        case brightness = 74
        /// Time in which a note falls to its level.
        case decayTime = 75
        /// Rate of the vibrato.
        case vibratoRate = 76
        /// Depth of the vibrato.
        case vibratoDepth = 77
        /// Time before the vibrato.
        case vibratoDelay = 78
        /// Level of the reverb.
        case reverbLevel = 91
        /// Level of the chorus.
        case chorusLevel = 93
        /// Number of a registered parameter, fine.
        case RPN_LSB = 100
        /// Number of a registered parameter, coarse.
        case RPN_MSB = 101
        /// Silence at once.
        case allSoundOff = 120
        /// All controllers as at the beginning.
        case resetAllControllers = 121
        /// All notes end.
        case allNotesOff = 123
        /// One channel only.
        case omniModeOff = 124
        /// All channels.
        case omniModeOn = 125
        /// One note at a time.
        case monoModeOn = 126
        /// Several notes at a time.
        case monoModeOff = 127
    }
}
