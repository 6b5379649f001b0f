import OssicleDSP
import OssicleRender

/// One mix on its way out, the engine's or a listener's: a room of its own, and a master with meters and limiter.
///
///     strips ──▶ direct ──────────────┬─▶ insert effects ──▶ master ──▶ output ──▶ taps
///        ├─ corners ──▶ early field ──┤
///        └─ send ──▶ room ──▶ late ───┘
final class OutputBus {
    private(set) var presets: PresetRooms
    private(set) var fields: FieldRooms
    let early: EarlyField
    let master: ControlledBox<MasterRenderer>
    private let channelCount: Int
    private var metersBefore = MasterRenderer.Meters()

    init(presets: PresetRooms, fields: FieldRooms, early: EarlyField, sampleRate: Double, channelCount: Int) {
        (self.presets, self.fields, self.early, self.channelCount) = (presets, fields, early, channelCount)
        master = ControlledBox(MasterRenderer(sampleRate: sampleRate, channelCount: channelCount))
    }

    /// All that has no direction changes over to another head.
    func hear(with head: HeadFilters, at position: Int64) {
        presets.hear(with: head, at: position)
        fields.hear(with: head, at: position)
        early.hear(with: head, at: position)
    }

    /// Readies the mix for the next plan.
    /// - Parameters:
    ///   - preset: the room of all, where it is that. - fields: the rooms of the listeners in this mix, where each has its own.
    /// - Returns: whether it has to be made.
    func update(_ preset: PHASEReverbPreset, _ fields: [RoomField], at position: Int64) -> Bool {
        let presetChanges = presets.set(preset, at: position)
        let fieldsChange = self.fields.set(fields, at: position)
        return early.forgetEars(at: position) || presetChanges || fieldsChange
    }

    /// What the plan keeps alive.
    var companions: [AnyObject] { presets.ringing.ears + fields.ringing.ears + early.ears.alive }

    /// What the master has counted since the last call.
    func takeMeters() -> PHASEMeters {
        let meters = master.control
        let now = meters.takeIfNew() ?? meters.current
        let before = metersBefore
        metersBefore = now
        let samples = Double(max(now.frames - before.frames, 1)) * Double(max(channelCount, 1))
        return PHASEMeters(frames: now.frames - before.frames, directPower: (now.directEnergy - before.directEnergy) / samples,
                           reverbPower: (now.reverbEnergy - before.reverbEnergy) / samples, peak: Double(now.peak),
                           limitedFrames: now.limitedFrames - before.limitedFrames, nonFiniteFrames: now.nonFiniteFrames - before.nonFiniteFrames)
    }
}

extension PHASEMeters {
    /// Of a mix that does not sound.
    static let nothing = PHASEMeters(frames: 0, directPower: 0, reverbPower: 0, peak: 0, limitedFrames: 0, nonFiniteFrames: 0)
}
