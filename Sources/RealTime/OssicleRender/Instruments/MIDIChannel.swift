import OssicleCore

/// What a MIDI channel's messages have set.
struct MIDIChannel: BitwiseCopyable {
    var controllers = InlineArray<128, UInt8>(repeating: 0)
    var keyPressures = InlineArray<128, UInt8>(repeating: 0)
    var pressure: UInt8 = 0
    /// 0 … 16,383.
    var bend: UInt16 = 8192
    /// Semitones that the wheel bends at its end.
    var bendRange: Float = 2
    /// Cents, by registered parameters 1 and 2.
    var fineTuning: Float = 0
    var coarseTuning: Float = 0
    /// Pitches of single keys (MIDI 2.0).
    var keyPitches = KeyPitches()
    /// Where glides come from.
    var glides = Glides()
    /// Whose turn it is in each cycle of zones.
    var turns = TurnCounters()
    /// The registered parameter that data entry sets; −1 for none.
    private var parameter = -1
    private var parameterHigh: UInt8 = 127, parameterLow: UInt8 = 127
    /// The program change before its bank is resolved.
    var program: UInt8 = 0
    /// Whether programs come from the percussion bank unless the bank says otherwise.
    var isPercussion = false
    /// The place of the program in the instrument; −1 for none.
    var place: Int32 = -1
    var isMono = false

    init() { resetControllers(all: true) }

    var isSustained: Bool { controllers[64] >= 64 }
    var isSostenuto: Bool { controllers[66] >= 64 }
    var tuning: Float { fineTuning + coarseTuning }

    /// How far below its own pitch a note begins, in cents, and for how many seconds it glides there; nothing without
    /// portamento. The note is the last one from then on. A second is 1,000 of controllers 5 and 37 together, as with
    /// FluidSynth: MIDI leaves the time open.
    mutating func glide(to key: UInt8) -> (cents: Float, seconds: Double) {
        let milliseconds = Int(controllers[5]) << 7 | Int(controllers[37])
        let source = glides.source(to: key, isOn: controllers[65] >= 64)
        return (Float(source - Int(key)) * 100, source == Int(key) ? 0 : Double(milliseconds) / 1000)
    }

    /// What controller 121 does (MIDI RP-015); `all` has volume, pan, bank and tuning return as well.
    mutating func resetControllers(all: Bool) {
        if all {
            controllers = InlineArray(repeating: 0)
            (controllers[7], controllers[10], controllers[8]) = (100, 64, 64)
            (bendRange, fineTuning, coarseTuning) = (2, 0, 0)
            keyPitches = KeyPitches()
            isMono = false
        }
        for index in 1...5 where index != 3 { controllers[index] = 0 }
        for index in 64...69 { controllers[index] = 0 }
        controllers[11] = 127
        keyPressures = InlineArray(repeating: 0)
        keyPitches.resetAll()
        glides = Glides()
        (pressure, bend, parameter, parameterHigh, parameterLow) = (0, 8192, -1, 127, 127)
    }

    /// Sets a controller; those that choose and set parameters act.
    mutating func control(_ controller: Int, _ value: UInt8) {
        controllers[controller] = value
        switch controller {
        case 6: enter(value, isFine: false)
        case 84: glides.next = Int16(value)
        case 38: enter(value, isFine: true)
        case 98, 99: parameter = -1
        case 100, 101:
            if controller == 101 { parameterHigh = value } else { parameterLow = value }
            parameter = parameterHigh == 127 && parameterLow == 127 ? -1 : Int(parameterHigh) << 7 | Int(parameterLow)
        default: break
        }
    }

    private mutating func enter(_ value: UInt8, isFine: Bool) {
        let (high, low) = (Float(controllers[6]), isFine ? Float(value) : 0)
        switch parameter {
        case 0: bendRange = min(high, 96) + low / 100
        case 1: fineTuning = ((high * 128 + low) - 8192) / 8192 * 100
        case 2: if !isFine { coarseTuning = (high - 64) * 100 }
        case 7: keyPitches.bendRange = min(high, 96) + low / 100
        default: break
        }
    }

    /// A registered parameter as MIDI 2.0 sends it: at once and in fourteen bits.
    mutating func set(parameter number: Int, to value: Int) {
        let (old, high) = (parameter, controllers[6])
        parameter = number
        controllers[6] = UInt8(value >> 7 & 127)
        enter(UInt8(value & 127), isFine: true)
        if number == 2 { enter(controllers[6], isFine: false) }
        (parameter, controllers[6]) = (old, high)
    }

    /// The bank that bank select means: 120 percussion, 121 the variation of General MIDI 2, 127 percussion of XG, else
    /// whichever of the two bytes is set.
    var bank: Int {
        let (high, low) = (Int(controllers[0]), Int(controllers[32]))
        switch high {
        case 120, 127: return 128
        case 121: return low
        case 0: return isPercussion ? 128 : low
        default: return isPercussion ? 128 : high
        }
    }
}

/// How many notes each cycle of zones has played, by which its zones take turns.
package struct TurnCounters: BitwiseCopyable {
    /// Cycles that are distinguished, with the one that is none.
    package static let count = 64
    private var played = InlineArray<64, UInt8>(repeating: 0)

    /// Whether it is the zone's turn.
    func isNext(_ zone: UnsafePointer<InstrumentZone>) -> Bool {
        zone.pointee.cycle == 0
            || played[Int(zone.pointee.cycle) % Self.count] % zone.pointee.turns == zone.pointee.turn
    }

    /// A note of the zone's cycle has begun.
    mutating func advance(_ zone: UnsafePointer<InstrumentZone>) {
        let index = Int(zone.pointee.cycle) % Self.count
        played[index] = (played[index] + 1) % zone.pointee.turns
    }
}
