import Foundation
import OssicleAVFAudio
import OssiclePlayback
import OssicleRecording
import OssicleSpatial
import Synchronization

/// Writes down what a client does to one engine. Any thread; not the audio thread.
final class CommandRecorder: Sendable {
    private let recording = CommandRecording()
    /// Shapes and presets have no numbers of their own. Kept, so that no other object gets their address.
    private let known = Mutex(Known())

    private struct Known {
        var numbers: [ObjectIdentifier: Int] = [:]
        // Never read again.
        nonisolated(unsafe) var kept: [AnyObject] = []
        var form: FormatRecord?
        // Under the engine's lock.
        nonisolated(unsafe) var captures: [PullCapture] = []
    }

    var isRecording: Bool { recording.isRecording }

    func start(_ writer: CommandWriter) -> Bool {
        known.withLock { $0 = Known() }
        return recording.start(writer)
    }

    func stop() -> CommandWriter? { recording.stop() }

    func with(_ body: (CommandWriter) -> Void) { recording.with(body) }

    func keep(_ capture: PullCapture) {
        nonisolated(unsafe) let capture = capture
        known.withLock { $0.captures.append(capture) }
    }

    /// Writes down what pull streams have given until now. Under the engine's lock.
    func endCaptures() {
        nonisolated(unsafe) var captures: [PullCapture] = []
        known.withLock { known in (captures, known.captures) = (known.captures, []) }
        for capture in captures { capture.transfer(isOver: true) }
    }

    /// Whether a device's output has another form than at the start before.
    func isNew(_ form: FormatRecord) -> Bool {
        known.withLock { known in
            defer { known.form = form }
            return known.form != form
        }
    }

    /// The number of an object, and whether it has just got it; nil for one that is not known, where none is to be
    /// given.
    func number(of object: AnyObject, givesOne: Bool) -> (number: Int, isNew: Bool)? {
        // Identity alone goes in.
        nonisolated(unsafe) let object = object
        return known.withLock { known in
            if let number = known.numbers[ObjectIdentifier(object)] { return (number, false) }
            guard givesOne else { return nil }
            known.kept.append(object)
            known.numbers[ObjectIdentifier(object)] = known.kept.count
            return (known.kept.count, true)
        }
    }
}

extension EngineControl {
    /// Writes a command down, if there is a recording. Any thread.
    func note(_ command: @autoclosure () -> PHASECommand) {
        guard recorder.isRecording else { return }
        recorder.with { $0.add(command(), at: executor.position) }
    }

    /// Writes down something that a replay cannot do.
    func noteGap(_ words: @autoclosure () -> String) {
        guard recorder.isRecording else { return }
        recorder.with { $0.addGap(words(), at: executor.position) }
    }

    /// Writes a command down that names data.
    func note(with make: (CommandWriter) -> PHASECommand) {
        guard recorder.isRecording else { return }
        recorder.with { $0.add(make($0), at: executor.position) }
    }

    func noteFile(_ url: URL, _ make: (_ data: String, _ name: String) -> PHASECommand) {
        guard recorder.isRecording else { return }
        guard let data = try? Data(contentsOf: url) else {
            return noteGap("\(url.lastPathComponent) could not be read again")
        }
        note { make($0.add(data), url.lastPathComponent) }
    }

    func noteSettings() { note(.settings(PHASECommand.Settings(requested { settings.requested }))) }

    /// The numbers of shapes, which are written down when they are first met.
    func noted(_ shapes: [PHASEShape]) -> [Int] {
        shapes.map { shape in
            guard let (number, isNew) = recorder.number(of: shape, givesOne: true) else { return 0 }
            if isNew {
                note { writer in
                    let mesh = (try? JSONEncoder().encode(PHASECommand.Mesh(shape.mesh))) ?? Data()
                    return .shape(
                        number, data: writer.add(mesh),
                        materials: shape.elements.map { $0.material.map(PHASECommand.Material.init) })
                }
            }
            return number
        }
    }

    func noteCreation(of object: PHASEObject) {
        guard recorder.isRecording else { return }
        let shapes = noted(object.recordedShapes)
        note(.object(object.number, object.recordedKind, shapes: shapes))
    }

    /// The insert effects of a mixer of an event; of event 0: of the engine's output. With all that is set on them.
    func noteInserts(_ units: [AVAudioUnit], of event: UInt64, mixer: String) {
        guard recorder.isRecording else { return }
        let inserts = units.map { unit in
            PHASECommand.Insert(
                number: recorder.number(of: unit, givesOne: true)?.number ?? 0, kind: PHASECommand.InsertKind(unit),
                state: unit.insertState)
        }
        note(.inserts(event, mixer: mixer, inserts))
    }

    /// What changes on a unit that is inserted.
    func note(_ change: UnitChange, on unit: any InsertableUnit) {
        guard recorder.isRecording, let number = recorder.number(of: unit, givesOne: false)?.number else { return }
        note(.insertChange(number, change))
    }

    func note(_ preset: PHASEGroupPreset, _ command: (Int) -> PHASECommand) {
        guard recorder.isRecording, let (number, isNew) = recorder.number(of: preset, givesOne: true) else { return }
        if isNew {
            note(
                .preset(
                    number, preset.settings.mapValues(PHASECommand.GroupSetting.init),
                    timeToTarget: preset.timeToTarget, timeToReset: preset.timeToReset))
        }
        note(command(number))
    }
}
