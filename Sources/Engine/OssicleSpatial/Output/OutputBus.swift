import OssicleDSP
import OssicleRender

/// One mix on its way out, the engine's or a listener's: a room of its own, and a master with meters and limiter.
///
///     channels ─▶ direct, or ears ────┬─▶ insert effects ──▶ master ──▶ output ──▶ taps
///        ├─ corners ──▶ early field ──┤
///        └─ send ──▶ room ──▶ late ───┘
package final class OutputBus {
    private var presets: PresetRooms
    private var fields: FieldRooms
    /// Sums the early reflections of all sources.
    package let early: ControlledBox<EarlyFieldRenderer>
    private var earlyEars = SentFilters()
    /// Sums the voices of all sources, where ears listen.
    package let ears: RendererBox<BinauralMixRenderer>?
    package let master: ControlledBox<MasterRenderer>
    package let channelCount: Int
    private var metersBefore = MasterRenderer.Meters()

    init(
        presets: PresetRooms, fields: FieldRooms, early: consuming EarlyFieldRenderer,
        ears: RendererBox<BinauralMixRenderer>?, sampleRate: Double, channelCount: Int
    ) {
        self.presets = presets
        self.fields = fields
        self.early = ControlledBox(early)
        self.ears = ears
        self.channelCount = channelCount
        master = ControlledBox(MasterRenderer(sampleRate: sampleRate, channelCount: channelCount))
    }

    /// The preset's rooms and the listeners', also those whose tail sounds.
    package var presetRooms: [RingingRooms<ReverbRenderer>.Room] { presets.ringing.rooms }
    package var fieldRooms: [RingingRooms<LateFieldRenderer>.Room] { fields.ringing.rooms }

    /// All that has no direction cross-fades to another HRTF.
    package func apply(_ hrtf: HRTFTable, at position: Int64) {
        presets.apply(hrtf, at: position)
        fields.apply(hrtf, at: position)
        let ears = RendererBox(EarlyFieldRenderer.ears(hrtf))
        earlyEars.add(ears, at: position)
        early.control?.write(ears.pointer)
    }

    /// Prepares the mix for the next plan.
    /// - Parameters:
    ///   - preset: the room of all. - fields: the rooms of the listeners in this mix, where each has its own.
    /// - Returns: whether it has to be made.
    package func update(_ preset: ReverbPreset?, _ fields: [RoomField], at position: Int64) -> Bool {
        let presetChanges = presets.set(preset, at: position)
        let fieldsChange = self.fields.set(fields, at: position)
        return earlyEars.release(at: position) || presetChanges || fieldsChange
    }

    /// To be kept alive by the plan.
    package var companions: [AnyObject] { presets.ringing.ears + fields.ringing.ears + earlyEars.alive }

    /// The master's counts now, and at the last call.
    package func takeMeters() -> (now: MasterRenderer.Meters, before: MasterRenderer.Meters) {
        let before = metersBefore
        metersBefore = master.control.takeIfNew() ?? master.control.current
        return (metersBefore, before)
    }
}
