import OssicleAudioToolbox
import OssicleCore
import OssicleCoreAudioTypes
import OssicleInstruments
import OssicleNodes
import OssicleRender

/// An instrument by itself: events in, two channels out.
final class InstrumentBody: UnitBody, @unchecked Sendable {
    /// What was loaded, so that it can be loaded again.
    enum Source: Equatable {
        /// A bank and the program of all channels; without one channels choose.
        case bank(path: String, program: ProgramNumber?)
        /// A file that is one instrument.
        case instrument(path: String)
        case audioFiles(paths: [String])
    }

    let tree: AUParameterTree?
    let inputs: [AVAudioFormat] = []
    let outputs = [AVAudioFormat.initial]
    private let unit: UnitDescription
    private let parameters: AUParameterTree
    private let stage = InstrumentStage()
    private let turn: UpdateTurn
    private let lock = NSLock()
    // Under the lock.
    private var loaded: (source: Source, instrument: Instrument)?
    private var rig: InstrumentRig?
    /// The player of the allocation before, whose channels the next one continues.
    private var last: InstrumentPlayer?

    init(_ unit: UnitDescription, _ tree: AUParameterTree) {
        let values = SamplerValues(tree), stage = stage, isSampler = unit.subtype == InstrumentUnits.sampler.subtype
        stage.settings = { isSampler ? values.settings : .generalMIDI }
        turn = UpdateTurn { stage.update() }
        (self.unit, parameters, self.tree) = (unit, tree, tree)
        tree.stored.setOwner { [turn] _ in turn.run() }
    }

    // MARK: Loading

    /// Reads an instrument and plays it from the next render call on. Throws, with what was there left in place.
    func load(_ source: Source) throws {
        let instrument: Instrument
        do {
            switch source {
            case .bank(let path, let program):
                instrument = try InstrumentLibrary.shared.bank(path: path)
                if let program, instrument.programName(bank: program.bank, number: program.number) == nil {
                    throw InstrumentFile.noProgram(path, program)
                }
            case .instrument(let path): instrument = try InstrumentFile.instrument(path: path)
            case .audioFiles(let paths): instrument = try InstrumentFile.audioFiles(paths: paths)
            }
        } catch let error as InstrumentError { throw OssicleError(error) }
        lock.withLock {
            loaded = (source, instrument)
            (rig?.player ?? last)?.load(instrument, program: Self.program(of: source, instrument))
        }
    }

    /// The program that all channels get.
    private static func program(of source: Source, _ instrument: Instrument) -> ProgramNumber? {
        if case .bank(_, let program) = source { return program }
        return instrument.table.programList.first.map { ProgramNumber(bank: Int($0.bank), number: Int($0.number)) }
    }

    /// Path of the bank or instrument.
    var source: Source? { lock.withLock { loaded?.source } }
    var instrument: Instrument? { lock.withLock { loaded?.instrument } }

    // MARK: State

    private static let key = "ossicle-instrument"

    var state: [String: Any] {
        switch source {
        case nil: [:]
        case .bank(let path, let program?):
            [Self.key: ["bank": path, "bankNumber": program.bank, "program": program.number] as [String: Any]]
        case .bank(let path, nil): [Self.key: ["bank": path]]
        case .instrument(let path): [Self.key: ["instrument": path]]
        case .audioFiles(let paths): [Self.key: ["files": paths]]
        }
    }

    func restore(_ state: [String: Any]) throws {
        guard let kept = state[Self.key] as? [String: Any] else { return }
        if let path = kept["bank"] as? String {
            let bank = (kept["bankNumber"] as? NSNumber)?.intValue ?? kept["bankNumber"] as? Int
            let number = (kept["program"] as? NSNumber)?.intValue ?? kept["program"] as? Int
            let program = bank.flatMap { bank in number.map { ProgramNumber(bank: bank, number: $0) } }
            try load(.bank(path: path, program: program))
        } else if let path = kept["instrument"] as? String {
            try load(.instrument(path: path))
        } else if let paths = kept["files"] as? [String] {
            try load(.audioFiles(paths: paths))
        }
    }

    // MARK: Rendering

    func allocate(_ shape: UnitShape) throws {
        guard let output = shape.outputs.first else {
            throw AUFault.shape(unit.name, shape, "An instrument has one output.")
        }
        if source == nil, unit.subtype == InstrumentUnits.generalMIDISynth.subtype, let path = StandardBank.path {
            try load(.bank(path: path, program: nil))
        }
        lock.withLock {
            let older = rig?.player ?? last
            let player = InstrumentPlayer(
                sampleRate: output.sampleRate, settings: stage.settings(), after: older)
            if older == nil, let loaded {
                player.load(loaded.instrument, program: Self.program(of: loaded.source, loaded.instrument))
            }
            turn.alone { stage.player = player }
            rig = InstrumentRig(
                player, output, frames: shape.maximumFrames, ParameterRamps(parameters.stored.values, turn))
            last = nil
        }
    }

    func deallocate() {
        lock.withLock {
            if let rig { last = rig.player }
            rig = nil
        }
    }

    func reset() { lock.withLock { rig?.player.reset() } }

    func makeRenderBlock() -> AUInternalRenderBlock {
        guard let rig = lock.withLock({ rig }) else { return { _, _, _, _, _, _, _ in kAudioUnitErr_Uninitialized } }
        return { flags, time, frames, _, list, events, _ in rig.render(flags, time, Int(frames), list, events) }
    }
}

/// Takes the values of parameters to the player in use.
private final class InstrumentStage: @unchecked Sendable {
    var settings: () -> Synthesiser.Settings = { Synthesiser.Settings() }
    var player: InstrumentPlayer?

    /// Takes no lock and no memory.
    func update() { player?.set(settings()) }
}

/// The parameters of a sampler.
private struct SamplerValues {
    private let gain, coarse, fine, pan: ParameterValue?

    init(_ tree: AUParameterTree) {
        let values = tree.stored.values
        func value(_ id: AudioUnitParameterID) -> ParameterValue? { values[AUParameterAddress(id)] }
        gain = value(kAUSamplerParam_Gain)
        coarse = value(kAUSamplerParam_CoarseTuning)
        fine = value(kAUSamplerParam_FineTuning)
        pan = value(kAUSamplerParam_Pan)
    }

    var settings: Synthesiser.Settings {
        var settings = Synthesiser.Settings()
        settings.gain = Float(DeterministicMath.exp(Double(gain?.current ?? 0) * (DeterministicMath.ln10 / 20)))
        settings.tuning = (coarse?.current ?? 0) * 100 + (fine?.current ?? 0)
        settings.pan = pan?.current ?? 0
        return settings
    }
}

/// What an instrument needs while it is allocated.
private final class InstrumentRig: @unchecked Sendable {
    let player: InstrumentPlayer
    private let output: UnitOutput
    private let channels: Int
    /// The right channel of a mono output.
    private let spare: SampleMemory
    /// Of the bytes in a MIDI event. Looked up here, because the runtime takes memory for it.
    private let dataOffset = MemoryLayout<AUMIDIEvent>.offset(of: \.data) ?? 21

    init(_ player: InstrumentPlayer, _ format: AVAudioFormat, frames: Int, _ ramps: ParameterRamps) {
        (self.player, channels) = (player, Int(format.channelCount))
        output = UnitOutput(format, frames: frames, ramps)
        spare = SampleMemory(count: frames)
    }

    func render(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int,
        _ list: UnsafeMutablePointer<AudioBufferList>, _ events: UnsafePointer<AURenderEvent>?
    ) -> AUAudioUnitStatus {
        let start = RenderCycle.frame(time.pointee) ?? events?.pointee.head.eventSampleTime ?? 0
        var next = events
        player.begin()
        output.render(
            frames, from: start, ParameterEvents(events), into: UnsafeMutableAudioBufferListPointer(list)
        ) { count, offset, planes in
            // Pieces end where events are due.
            while let event = next, event.pointee.head.eventSampleTime <= start + Int64(offset) {
                take(event)
                next = event.pointee.head.next.map { UnsafePointer($0) }
            }
            write(count, offset, planes)
        }
        return noErr
    }

    private func write(_ count: Int, _ offset: Int, _ planes: UnsafePointer<UnsafeMutablePointer<Float>>) {
        let left = planes[0] + offset
        guard channels > 1 else {
            // What is in the middle comes from two loudspeakers, or as loud from one.
            let right = spare.pointer
            player.render(count, left: left, right: right)
            for frame in 0..<count { left[frame] = (left[frame] + right[frame]) * 0.70710677 }
            return
        }
        player.render(count, left: left, right: planes[1] + offset)
        for channel in 2..<max(channels, 2) { (planes[channel] + offset).update(repeating: 0, count: count) }
    }

    private func take(_ event: UnsafePointer<AURenderEvent>) {
        switch event.pointee.head.eventType {
        case .MIDI, .midiSysEx:
            player.take(
                UnsafeRawBufferPointer(
                    start: UnsafeRawPointer(event) + dataOffset, count: Int(event.pointee.MIDI.length)))
        case .midiEventList:
            // A list of one packet.
            let packet = event.pointee.MIDIEventsList.eventList.packet
            player.take((packet.words.0, packet.wordCount > 1 ? packet.words.1 : 0))
        default: break
        }
    }
}
