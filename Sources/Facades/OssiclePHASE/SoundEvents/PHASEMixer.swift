import Foundation
import OssicleAVFAudio
import OssiclePlayback
import OssicleSpatial

/// A mixer of one sound event, made from its definition.
open class PHASEMixer: NSObject, @unchecked Sendable {
    /// The definition's identifier.
    public let identifier: String
    /// Moves the mixer's gain; nil unless the definition had a gain meta-parameter.
    public let gainMetaParameter: PHASEMetaParameter?
    private let baseGain: Double
    let control: EngineControl
    /// Number of its event. Under the engine's lock.
    var event: UInt64 = 0
    /// Insert effects and taps. Under the engine's lock.
    let outlets = MixerOutlets()

    init(control: EngineControl, identifier: String, gain: Double, gainMetaParameter: PHASEMetaParameter?) {
        self.control = control
        outlets.inserts.errorHandler = { [weak control] in control?.record($0) }
        outlets.inserts.changeHandler = { [weak control] unit, change in control?.note(change, on: unit) }
        self.identifier = identifier
        self.gainMetaParameter = gainMetaParameter
        baseGain = gain
    }

    /// Linear gain, 0…1: the meta-parameter's value where there is one, else the definition's.
    open var gain: Double {
        guard let parameter = gainMetaParameter, let value = parameter.value as? Double else { return baseGain }
        return value.clamped(0, 1)
    }
}

extension InsertChain {
    /// The client's view of the units.
    var effects: [AVAudioUnit] { units.compactMap { $0 as? AVAudioUnit } }

    /// Takes all of the units, or records what is wrong with one and leaves the chain as it was. Under the engine's
    /// lock.
    /// - Parameter name: of the chain's place, for messages.
    /// - Returns: whether it took them.
    func set(_ units: [AVAudioUnit], at name: String, _ control: EngineControl) -> Bool {
        do {
            try set(units)
            control.planChanged()
            return true
        } catch {
            let reason = (error as? InsertError)?.description ?? error.localizedDescription
            control.record(PHASEError(.invalidObject, "The insert effects of \(name) stay as they were: \(reason)"))
            return false
        }
    }
}

/// Additions of Ossicle: insert effects, and taps.
extension PHASEMixer: OssicleAdditions {}

extension OssicleAdditions where Self: PHASEMixer {
    /// Effects the sound of this mixer passes, in order, before it is placed: one channel for a spatial mixer, the
    /// bed's for others (an addition of Ossicle).
    ///
    /// Any `AVAudioUnitEffect` that is built in. Set it before playback or during it: the sound fades over to the new
    /// row within 10 ms, with the next update. Parameters and bypass act from the next render call on, in manual update
    /// mode too. The event sounds on until the tails of its effects are over, a minute at most; after that the chain is
    /// empty and its units are free. A unit that is attached to an engine, in another chain, or no such effect, is
    /// recorded as an error, and the chain stays as it was.
    public var insertEffects: [AVAudioUnit] {
        get { control.locked { outlets.inserts.effects } }
        set {
            control.locked {
                if outlets.inserts.set(newValue, at: "mixer “\(identifier)”", control) {
                    control.noteInserts(newValue, of: event, mixer: identifier)
                }
            }
        }
    }

    /// As `PHASEEngine.installTap`, on what leaves this mixer: its direct sound in the engine's channels, placed and
    /// scaled (an addition of Ossicle). Times are engine times. Data come while the event plays and until it has rung
    /// out.
    public func installTap(
        bufferSize: AVAudioFrameCount, format: AVAudioFormat? = nil, block: @escaping AVAudioNodeTapBlock
    ) throws {
        try control.locked { try outlets.taps.install(control, at: "mixer “\(identifier)”", bufferSize, format, block) }
    }

    /// Ends all taps on this mixer. What they had collected is delivered, though it fills no buffer (an addition of
    /// Ossicle).
    public func removeTap() { control.locked { outlets.taps.removeAll(control) } }

    /// Frames that the taps on this mixer lost at a device, because they came faster than they were taken (an addition
    /// of Ossicle).
    public var droppedTapFrames: Int { control.locked { outlets.taps.droppedFrames } }
}
