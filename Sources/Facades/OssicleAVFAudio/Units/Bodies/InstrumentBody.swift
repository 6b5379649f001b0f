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
    /// Whether reverb and chorus are left out.
    private let isDry = SharedFlag()
    private let turn: UpdateTurn
    private let lock = NSLock()
    // Under the lock.
    private var loaded: (source: Source, instrument: Instrument)?
    private var rig: InstrumentRig?
    /// The player of the allocation before, whose channels the next one continues.
    private var last: InstrumentPlayer?
    private var synthesiser = MusicSynthesiser.own

    init(_ unit: UnitDescription, _ tree: AUParameterTree) {
        let values = InstrumentValues(tree, isSampler: unit.subtype == InstrumentUnits.sampler.subtype)
        let stage = stage, isDry = isDry
        stage.settings = { values.settings(hasEffects: !isDry.isOn) }
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
            (rig?.player as? InstrumentPlayer ?? last)?.load(instrument, program: Self.program(of: source, instrument))
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

    /// Whether what is sent to reverb and chorus is heard.
    var hasEffects: Bool {
        get { !isDry.isOn }
        set {
            isDry.isOn = !newValue
            turn.run()
        }
    }

    /// Who plays a bank from the next allocation on. Throws where that synthesiser is not there, and for a sampler,
    /// whose instruments are Ossicle's own.
    func setSynthesiser(_ new: MusicSynthesiser) throws {
        if new == .fluidSynth {
            if unit.subtype == InstrumentUnits.sampler.subtype { throw AUFault.noSynthesiser(unit.name) }
            if let refusal = FluidSynthPlayer.refusal { throw OssicleError(refusal) }
        }
        lock.withLock { synthesiser = new }
    }

    var chosenSynthesiser: MusicSynthesiser { lock.withLock { synthesiser } }

    /// Of the effects; 0 without them.
    func tailTime(sampleRate: Double) -> Double { hasEffects ? Synthesiser.tailTime : 0 }

    // MARK: State

    private static let key = "ossicle-instrument"

    private static let effectsKey = "ossicle-effects"

    var state: [String: Any] { hasEffects ? sourceState : sourceState.merging([Self.effectsKey: false]) { $1 } }

    private var sourceState: [String: Any] {
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
        hasEffects = state[Self.effectsKey] as? Bool ?? true
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
        try lock.withLock {
            let player = try makePlayer(output.sampleRate)
            turn.alone { stage.player = player }
            rig = InstrumentRig(
                player, output, frames: shape.maximumFrames, ParameterRamps(parameters.stored.values, turn))
            last = nil
        }
    }

    /// Under the lock.
    private func makePlayer(_ sampleRate: Double) throws -> any BankPlayer {
        if synthesiser == .fluidSynth, case .bank(let path, _) = loaded?.source {
            do {
                return try FluidSynthPlayer(bank: path, sampleRate: sampleRate, settings: stage.settings())
            } catch { throw OssicleError(error) }
        }
        let older = rig?.player as? InstrumentPlayer ?? last
        let player = InstrumentPlayer(sampleRate: sampleRate, settings: stage.settings(), after: older)
        if older == nil, let loaded {
            player.load(loaded.instrument, program: Self.program(of: loaded.source, loaded.instrument))
        }
        return player
    }

    func deallocate() {
        lock.withLock {
            last = rig?.player as? InstrumentPlayer ?? last
            rig = nil
        }
    }

    func reset() { lock.withLock { rig?.player.reset() } }

    func makeRenderBlock() -> AUInternalRenderBlock {
        guard let rig = lock.withLock({ rig }) else { return { _, _, _, _, _, _, _ in kAudioUnitErr_Uninitialized } }
        return { flags, time, frames, _, list, events, _ in rig.render(flags, time, Int(frames), list, events) }
    }
}
