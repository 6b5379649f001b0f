import Foundation
import OssicleAVFAudio
import OssicleRecording
import OssiclePlayback
import OssicleSpatial

/// Recording what a program does to an engine (additions of Ossicle): a bug report is a file.
extension OssicleAdditions where Self: PHASEEngine {
    /// Writes every call that changes what is heard to a file, each with its time in frames of the engine: settings,
    /// objects and their moves, assets with their sounds, groups, sound events, parameters, buffers of streams, insert
    /// effects, updates, starts and stops; and what came in meanwhile: what handlers of pull streams gave out, and
    /// where a tracked head was.
    ///
    /// `ossicle replay` and `PHASECommandReplay` render the file. An engine in manual rendering whose calls come from
    /// one thread at a time gives the same bytes; an engine at a device, or calls that come while another thread
    /// renders, the same calls at the same frames, which take effect up to one block earlier or later than they did.
    /// What cannot be replayed stands in the file as a gap. Taps and what is rendered for single listeners are not
    /// replayed and change nothing.
    ///
    /// Begin before the engine is given anything but settings. The file is written as calls come, so that a program
    /// that crashes leaves what it did. Any thread; nothing is done on the audio thread.
    /// - Throws: `PHASEError.initializeFailed` where there is a recording already, the engine has objects, assets,
    ///   groups or time, or the file cannot be created; the error says which.
    public func startRecordingCommands(to url: URL) throws { try control.startRecording(to: url, self) }

    /// Ends the recording. Does nothing where there is none.
    /// - Throws: `PHASEError.invalidObject` where the file could not be written to its end, on a full disk: it ends
    ///   with the first line that was lost.
    public func stopRecordingCommands() throws { try control.stopRecording() }

    /// Whether calls are written to a file.
    public var isRecordingCommands: Bool { control.recorder.isRecording }
}

extension EngineControl {
    func startRecording(to url: URL, _ engine: PHASEEngine) throws {
        func refusal(_ text: String) -> any Error {
            PHASEError(.initializeFailed, "Commands are not recorded to \(url.path): \(text)")
        }
        try locked {
            guard objects.isNew, store.assets.isEmpty, store.groups.isEmpty, executor.position == 0, manual == nil,
                renderingState == .stopped
            else {
                throw refusal(
                    "the engine has objects, assets, groups, a rendering mode or time already. A recording has all of it: start right after the engine is made."
                )
            }
            // Before a file is emptied that may be the other recording's.
            guard !recorder.isRecording else {
                throw refusal("they are recorded to another file. Call stopRecordingCommands() first.")
            }
            let writer: CommandWriter
            do throws(CommandFileError) {
                writer = try CommandWriter(path: url.path, engine: PHASECommandReplay.engineName)
            } catch {
                throw refusal("\(error.found). \(error.rule) \(error.cure)")
            }
            _ = recorder.start(writer)
            note(.engine(updates: updateMode.rawValue))
            noteSettings()
            note(.spatialization(spatializationMode.rawValue))
            note(.seed(spatial.player.seed))
            note(.quality(PHASECommand.Quality(engine.acousticsQuality)))
            if let url = loaded.hrtf { noteFile(url) { .hrtf(data: $0, name: $1) } }
            if let (url, level) = loaded.room { noteFile(url) { .room(data: $0, name: $1, level: level) } }
            if !outlets.inserts.effects.isEmpty { noteInserts(outlets.inserts.effects, of: 0, mixer: "") }
        }
    }

    func stopRecording() throws {
        let frame = executor.position
        locked { recorder.endCaptures() }
        guard let writer = recorder.stop() else { return }
        do throws(CommandFileError) { try writer.finish(at: frame) } catch {
            throw PHASEError(.invalidObject, "The recording \(error.file) is not whole: \(error.found). \(error.cure)")
        }
    }
}
