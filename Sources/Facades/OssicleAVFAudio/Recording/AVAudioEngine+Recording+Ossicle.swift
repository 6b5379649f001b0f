import Foundation
import OssicleCoreAudioTypes
import OssicleRecording

/// Recording what a program does to an engine (additions of Ossicle): a bug report is a file.
extension OssicleAdditions where Self: AVAudioEngine {
    /// Writes every call that changes what is heard to a file, each with its time in frames of the engine: nodes,
    /// connections, parameters, mixing properties, environments, buffers and files of players, starts and stops.
    ///
    /// `ossicle replay` and `AVAudioCommandReplay` render the file. An engine in manual rendering whose calls come from
    /// one thread at a time gives the same bytes; an engine at a device, or calls that come while another thread
    /// renders, the same calls at the same frames, which take effect up to one block earlier or later than they did.
    /// What cannot be made again is recorded as the sound that it gave out: source nodes, the input node, units of the
    /// client's, instruments and plug-ins. Taps are not replayed and change nothing.
    ///
    /// Begin before the engine has nodes or renders. What was set on a node before it is attached is in the file, what
    /// was scheduled on a player before is not. The file is written as calls come, so that a program that crashes
    /// leaves what it did. Any thread; nothing is done on the audio thread.
    /// - Throws: `OssicleError` where there is a recording already, the engine has nodes or a rendering mode, or the
    ///   file cannot be created; the error says which.
    public func startRecordingCommands(to url: URL) throws { try machine.startRecording(to: url) }

    /// Ends the recording. Does nothing where there is none.
    /// - Throws: `OssicleError` where the file could not be written to its end, on a full disk: it ends with the first
    ///   line that was lost.
    public func stopRecordingCommands() throws {
        if machine.recorder.isRecording { machine.endCaptures() }
        let frame = machine.session.executor.position
        guard let writer = machine.recorder.recording.stop() else { return }
        do throws(CommandFileError) { try writer.finish(at: frame) } catch { throw OssicleError(error) }
    }

    /// Whether calls are written to a file.
    public var isRecordingCommands: Bool { machine.recorder.isRecording }
}

extension EngineMachine {
    fileprivate func startRecording(to url: URL) throws {
        func refusal(_ value: String, _ rule: String, _ cure: String) -> OssicleError {
            .avfaudio(
                kAudioUnitErr_Initialized, "AVAudioEngine, commands recorded to “\(url.path)”", value: value,
                rule: rule,
                cure: cure)
        }
        try locked {
            guard model.nodes.isEmpty, manual == nil, state == .stopped else {
                throw refusal(
                    "the engine has nodes or a rendering mode", "A recording has all that was done.",
                    "Start it right after the engine is made.")
            }
            // Before a file is emptied that may be the other recording's.
            guard !recorder.isRecording else {
                throw refusal(
                    "there is a recording already", "An engine has one.", "Call stopRecordingCommands() first.")
            }
            let writer: CommandWriter
            do throws(CommandFileError) {
                writer = try CommandWriter(path: url.path, engine: AVAudioCommandReplay.engineName)
            } catch {
                throw OssicleError(error)
            }
            _ = recorder.start(writer)
        }
    }
}

extension OssicleError {
    convenience init(_ error: CommandFileError) {
        let code: OSStatus =
            switch error.kind {
            case .unreadable: kAudio_FileNotFoundError
            case .unwritable: kAudio_FilePermissionError
            default: kAudio_ParamError
            }
        self.init(
            domain: avfaudioErrorDomain, code: Int(code), object: "recording “\(error.file)”", value: error.found,
            rule: error.rule, cure: error.cure)
    }
}
