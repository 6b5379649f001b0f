import OssicleDSP
import OssicleRender

/// One mix on its way out, the engine's or a listener's: a room of its own, and a master with meters and limiter.
///
///     channels ─▶ direct, or ears ─────────────────┬─▶ insert effects ──▶ master ──▶ output ──▶ taps
///        ├─ reflections, unimportant voices ─▶ bus ┘
///        └─ send ──▶ room ──▶──────────────────┘
package final class OutputBus {
    private var presets: PresetRooms
    private var fields: FieldRooms
    private var responses: ResponseRooms
    private let sampleRate: Double
    /// The ambisonic bus of all that is diffuse: reflections and rooms.
    private var madeField: ControlledBox<FieldMixRenderer>?
    private let makeField: () -> FieldMixRenderer
    private var fieldFilters = SentFilters()
    /// Sums the voices of all sources, where ears listen.
    package let ears: RendererBox<BinauralMixRenderer>?
    package let master: ControlledBox<MasterRenderer>
    package let channelCount: Int
    private var metersBefore = MasterRenderer.Meters()
    /// Of the live view, which looks besides the client.
    private var inspectedBefore = MasterRenderer.Meters()

    init(
        presets: PresetRooms, fields: FieldRooms, responses: ResponseRooms, makeField: @escaping () -> FieldMixRenderer,
        ears: RendererBox<BinauralMixRenderer>?, sampleRate: Double, channelCount: Int
    ) {
        self.presets = presets
        self.fields = fields
        self.responses = responses
        self.sampleRate = sampleRate
        self.makeField = makeField
        self.ears = ears
        self.channelCount = channelCount
        master = ControlledBox(MasterRenderer(sampleRate: sampleRate, channelCount: channelCount))
    }

    /// The rooms of the same mix at another output ring out in this one. While nothing renders.
    func takeOverRooms(of old: OutputBus, at position: Int64) {
        presets.takeOver(old.presets, sampleRate: sampleRate, at: position)
        fields.takeOver(old.fields, at: position)
        responses.takeOver(old.responses)
    }

    /// The preset's rooms, the listeners' and the measured ones, also those whose tail sounds.
    package var presetRooms: [RingingRooms<ReverbRenderer>.Room] { presets.ringing.rooms }
    package var fieldRooms: [RingingRooms<LateFieldRenderer>.Room] { fields.ringing.rooms }
    package var responseRooms: [RingingRooms<ConvolutionRenderer>.Room] { responses.ringing.rooms }

    /// Made when it is first needed: its decoder takes milliseconds.
    package var field: ControlledBox<FieldMixRenderer> {
        if let madeField { return madeField }
        let made = ControlledBox(makeField())
        madeField = made
        return made
    }

    /// Once made, it is in every plan: it takes over other filters, and lets go of those before.
    package var hasField: Bool { madeField != nil }

    /// All that is diffuse cross-fades to another HRTF.
    package func apply(_ hrtf: HRTFFilters, _ stage: OutputStage, at position: Int64) {
        guard let madeField else { return }
        fieldFilters.send(stage.fieldFilters(hrtf), to: madeField.control, at: position)
    }

    /// Prepares the mix for the next plan.
    /// - Parameters:
    ///   - preset: the room of all. - fields: the rooms of the listeners in this mix, where each has its own. -
    ///     measured: the measured rooms, of all or of single listeners.
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
        return fieldFilters.release(at: position) || presetChanges || fieldsChange || responsesChange
    }

    /// To be kept alive by the plan.
    package var companions: [AnyObject] { fieldFilters.alive }

    /// The master's counts now, and at the last call.
    package func takeMeters() -> (now: MasterRenderer.Meters, before: MasterRenderer.Meters) {
        let before = metersBefore
        metersBefore = master.control.takeIfNew() ?? master.control.current
        return (metersBefore, before)
    }

    /// The master's counts since this was last read; the peak is the largest sample so far.
    package var inspectedMeters: MasterRenderer.Meters {
        let now = master.control.takeIfNew() ?? master.control.current
        var meters = now
        meters.frames -= inspectedBefore.frames
        meters.directEnergy -= inspectedBefore.directEnergy
        meters.reverbEnergy -= inspectedBefore.reverbEnergy
        meters.limitedFrames -= inspectedBefore.limitedFrames
        meters.nonFiniteFrames -= inspectedBefore.nonFiniteFrames
        inspectedBefore = now
        return meters
    }
}
