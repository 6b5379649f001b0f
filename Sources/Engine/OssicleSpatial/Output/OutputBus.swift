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
    private var responses: ResponseRooms
    private let sampleRate: Double
    /// Sums the early reflections of all sources.
    package let early: ControlledBox<EarlyFieldRenderer>
    private var earlyEars = SentFilters()
    /// Sums the voices of all sources, where ears listen.
    package let ears: RendererBox<BinauralMixRenderer>?
    package let master: ControlledBox<MasterRenderer>
    package let channelCount: Int
    private var metersBefore = MasterRenderer.Meters()

    init(
        presets: PresetRooms, fields: FieldRooms, responses: ResponseRooms, early: consuming EarlyFieldRenderer,
        ears: RendererBox<BinauralMixRenderer>?, sampleRate: Double, channelCount: Int
    ) {
        self.presets = presets
        self.fields = fields
        self.responses = responses
        self.sampleRate = sampleRate
        self.early = ControlledBox(early)
        self.ears = ears
        self.channelCount = channelCount
        master = ControlledBox(MasterRenderer(sampleRate: sampleRate, channelCount: channelCount))
    }

    /// The preset's rooms, the listeners' and the measured ones, also those whose tail sounds.
    package var presetRooms: [RingingRooms<ReverbRenderer>.Room] { presets.ringing.rooms }
    package var fieldRooms: [RingingRooms<LateFieldRenderer>.Room] { fields.ringing.rooms }
    package var responseRooms: [RingingRooms<ConvolutionRenderer>.Room] { responses.ringing.rooms }

    /// All that has no direction cross-fades to another HRTF.
    package func apply(_ hrtf: HRTFTable, at position: Int64) {
        presets.apply(hrtf, at: position)
        fields.apply(hrtf, at: position)
        responses.apply(hrtf, at: position)
        let ears = RendererBox(EarlyFieldRenderer.ears(hrtf))
        earlyEars.add(ears, at: position)
        early.control?.write(ears.pointer)
    }

    /// Prepares the mix for the next plan.
    /// - Parameters:
    ///   - preset: the room of all. - fields: the rooms of the listeners in this mix, where each has its own. - measured: the
    ///     measured rooms, of all or of single listeners.
    /// - Returns: whether it has to be made.
    package func update(
        _ preset: ReverbPreset?, _ fields: [RoomField], _ measured: [RoomResponse], at position: Int64
    ) -> Bool {
        func next() -> BuildUp {
            preset?.parameters().buildUp(sampleRate: sampleRate)
                ?? measured.max { $0.gain < $1.gain }?.room.response(sampleRate: sampleRate).buildUp
                ?? fields.first?.field.buildUp(sampleRate: sampleRate) ?? BuildUp(start: 0, end: 0)
        }
        let presetChanges = presets.set(preset, next: next(), at: position)
        let fieldsChange = self.fields.set(fields, next: next(), at: position)
        let responsesChange = responses.set(measured, next: next(), at: position)
        return earlyEars.release(at: position) || presetChanges || fieldsChange || responsesChange
    }

    /// To be kept alive by the plan.
    package var companions: [AnyObject] {
        presets.ringing.ears + fields.ringing.ears + responses.ringing.ears + earlyEars.alive
    }

    /// The master's counts now, and at the last call.
    package func takeMeters() -> (now: MasterRenderer.Meters, before: MasterRenderer.Meters) {
        let before = metersBefore
        metersBefore = master.control.takeIfNew() ?? master.control.current
        return (metersBefore, before)
    }
}
