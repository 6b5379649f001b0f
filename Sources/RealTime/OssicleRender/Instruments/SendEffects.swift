import OssicleCore
import OssicleDSP

/// Reverb and chorus of a synthesiser, on the sums of what its voices send.
///
///     reverb sum ──────────────▶(+)─▶ feedback delay network ─▶ · return ─▶ left, right
///                                ▲ send to reverb
///     chorus sum ─▶ SendChorus ──┴──────────────────────────▶ · return ─▶ left, right
///
/// A send of 100 % comes back as loud as the dry sound is in the middle: with less, as many dB lower as it is. Types,
/// times and rates are those of General MIDI 2, global parameter control: large hall of 1.8 s and chorus 3 to begin
/// with. Audio thread, but for `init`.
struct SendEffects: ~Copyable {
    /// √½: two equal sides are as loud as a sound in the middle.
    private static let side: Float = 0.707_106_77
    /// Reverb types of General MIDI 2 that there are, by number.
    private static let typeCount = 9

    private var reverb: ReverbEffect
    private var chorus: SendChorus
    /// By type: parameters with the type's own time.
    private let types: OwnedMemory<ReverbEffect.Parameters>
    private var room: ReverbEffect.Parameters
    private var chorusSettings = ChorusSettings.standard
    private var toReverb: GainRamp
    private var returns: (reverb: GainRamp, chorus: GainRamp)
    private let memory = SampleMemory(count: 4 * Grid.quantum)
    private let planes: OwnedMemory<UnsafeMutablePointer<Float>>

    /// General MIDI 2's numbers of a chorus.
    private struct ChorusSettings: BitwiseCopyable {
        var rate: UInt8, depth: UInt8, feedback: UInt8, toReverb: UInt8

        init(_ rate: UInt8, _ depth: UInt8, _ feedback: UInt8) {
            (self.rate, self.depth, self.feedback, toReverb) = (rate, depth, feedback, 0)
        }

        static let standard = ChorusSettings(3, 19, 8)

        /// Chorus 1 to 4, feedback chorus, flanger.
        static func of(type: UInt8) -> ChorusSettings? {
            switch type {
            case 0: ChorusSettings(3, 5, 0)
            case 1: ChorusSettings(9, 19, 5)
            case 2: standard
            case 3: ChorusSettings(9, 16, 16)
            case 4: ChorusSettings(2, 24, 64)
            case 5: ChorusSettings(1, 5, 112)
            default: nil
            }
        }

        var parameters: SendChorus.Parameters {
            SendChorus.Parameters(
                rate: Float(rate) * 0.122, depth: Float(depth + 1) / 3200, feedback: Float(feedback) * 0.007_63)
        }

        var toReverbGain: Float { Float(toReverb) * 0.007_87 }
    }

    init(sampleRate: Double) {
        types = OwnedMemory(count: Self.typeCount, Self.room(.largeHall, seconds: 1.8))
        let (rooms, pointer) = (Self.rooms, types.pointer)
        for index in 0..<Self.typeCount {
            if let (preset, seconds) = rooms[index] { pointer[index] = Self.room(preset, seconds: seconds) }
        }
        room = pointer[4]
        reverb = ReverbEffect(sampleRate: sampleRate, channelCount: 2, parameters: pointer[4])
        chorus = SendChorus(sampleRate: sampleRate, ChorusSettings.standard.parameters)
        toReverb = GainRamp(0)
        returns = (GainRamp(Self.side), GainRamp(1))
        planes = OwnedMemory(count: 4, memory.pointer)
        (planes.pointer[2], planes.pointer[3]) = (memory.pointer, memory.pointer + Grid.quantum)
    }

    private static let rooms: [Int: (ReverbPreset, Float)] = [
        0: (.smallRoom, 1.1), 1: (.mediumRoom, 1.3), 2: (.largeRoom, 1.5), 3: (.mediumHall, 1.8), 4: (.largeHall, 1.8),
        8: (.plate, 1.3),
    ]

    /// Its tail begins when the network's own delays let it: voices have no early reflections that would bridge the
    /// time until the room has mixed.
    private static func room(_ preset: ReverbPreset, seconds: Float) -> ReverbEffect.Parameters {
        var parameters = ReverbEffect.Parameters(preset: preset)
        parameters.minDelayTime = 0.02
        parameters.setDecay(seconds)
        return parameters
    }

    /// Seconds until the effects of the beginning have fallen by 60 dB.
    static var tailTime: Double {
        ReverbEffect.tailTime(room(.largeHall, seconds: 1.8), sampleRate: 48_000)
            + SendChorus.tailTime(ChorusSettings.standard.parameters)
    }

    // MARK: Control points

    /// Whether neither holds sound, and both cost nothing.
    var isAsleep: Bool { reverb.isAsleep && chorus.isAsleep }

    /// Gains of what comes back.
    mutating func setReturns(reverb: Float, chorus: Float, frames: Int) {
        returns.reverb.setTarget(reverb * Self.side, frames: frames)
        returns.chorus.setTarget(chorus, frames: frames)
    }

    /// Silence; parameters stay.
    mutating func reset() {
        reverb.reset()
        chorus.reset()
        toReverb = GainRamp(toReverb.target)
        returns = (GainRamp(returns.reverb.target), GainRamp(returns.chorus.target))
    }

    /// The types and times of the beginning.
    mutating func restart() {
        room = types.pointer[4]
        reverb.take(room, atOnce: false)
        chorusSettings = .standard
        applyChorus()
    }

    /// A parameter of the reverb, by its number in General MIDI 2: 0 type, 1 time. Others change nothing.
    mutating func setReverb(_ parameter: UInt8, _ value: UInt8) {
        switch parameter {
        case 0 where value <= 4 || value == 8: room = types.pointer[Int(value)]
        case 1: room.setDecay(Float(DeterministicMath.exp((Double(value) - 40) * 0.025)))
        default: return
        }
        reverb.take(room, atOnce: false)
    }

    /// A parameter of the chorus, by its number in General MIDI 2: 0 type, 1 rate, 2 depth, 3 feedback, 4 send to
    /// reverb.
    mutating func setChorus(_ parameter: UInt8, _ value: UInt8) {
        switch parameter {
        case 0: chorusSettings = ChorusSettings.of(type: value) ?? chorusSettings
        case 1: chorusSettings.rate = value
        case 2: chorusSettings.depth = value
        case 3: chorusSettings.feedback = value
        case 4: chorusSettings.toReverb = value
        default: return
        }
        applyChorus()
    }

    private mutating func applyChorus() {
        chorus.take(chorusSettings.parameters)
        toReverb.setTarget(chorusSettings.toReverbGain, frames: Grid.quantum)
    }

    // MARK: Rendering

    /// Adds the effects of the sums to both sides; at most a quantum. The sums are overwritten.
    mutating func render(_ buses: VoiceBuses, _ frames: Int) {
        let (left, right) = (memory.pointer, memory.pointer + Grid.quantum)
        chorus.process(buses.chorus, left: left, right: right, frames)
        if !toReverb.isIdle || toReverb.target != 0 {
            for frame in 0..<frames { buses.chorus[frame] = (left[frame] + right[frame]) * Self.side }
            toReverb.add(from: buses.chorus, to: buses.reverb, frames)
        }
        var gain = returns.chorus
        gain.add(from: left, to: buses.left, frames)
        returns.chorus.add(from: right, to: buses.right, frames)
        (planes.pointer[0], planes.pointer[1]) = (buses.reverb, buses.reverb)
        reverb.process(from: planes.pointer, to: planes.pointer + 2, frames: frames)
        gain = returns.reverb
        gain.add(from: left, to: buses.left, frames)
        returns.reverb.add(from: right, to: buses.right, frames)
    }
}
