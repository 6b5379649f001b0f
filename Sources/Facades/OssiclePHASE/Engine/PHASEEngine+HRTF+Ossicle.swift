import Foundation
import OssicleFiles
import OssicleHRTF
import OssicleSpatial

/// The head that a binaural output is heard with.
extension OssicleAdditions where Self: PHASEEngine {
    /// Puts on another head, from a SOFA file (AES69: SimpleFreeFieldHRIR, or FreeFieldHRIR with one emitter) (an
    /// addition of Ossicle).
    ///
    /// Before the engine starts or while it plays: at the next update every voice and the late reverb cross-fade to the
    /// new head. Any number and arrangement of directions, any length and sample rate; the set is brought to the
    /// engine's rate, to minimum phase and to the level of the built-in head. It lasts until another is loaded or
    /// `resetHRTF()`, over stops and starts, and is this engine's alone. An output for loudspeakers has no head: the
    /// set is kept for a binaural one. Takes about a second, on the caller's thread.
    /// - Throws: `PHASEAssetError.failedToLoad`, which names the file, what is wrong in it, the rule and the cure. The
    ///   head stays as it was.
    public func loadHRTF(contentsOf url: URL) throws {
        let name = url.lastPathComponent
        do {
            guard let path = url.localPath else {
                throw HRTFSetError(
                    "Head set “\(name)”: its address is \(url.absoluteString), must be that of a file; pass URL(fileURLWithPath:)."
                )
            }
            let rate = control.locked {
                control.spatial.output?.sampleRate ?? control.manual?.format.sampleRate
                    ?? EngineControl.defaultFormat.sampleRate
            }
            // A matter of a second: the engine plays on meanwhile.
            let set = try HRTFSet(contentsOfFile: path)
            try adopt(EngineHRTF(set, name: name, prepared: try set.filters(sampleRate: rate)))
        } catch {
            throw PHASEAssetError(.failedToLoad, "\(error)")
        }
    }

    /// Puts the built-in head on again, cross-fading like `loadHRTF(contentsOf:)` (an addition of Ossicle).
    public func resetHRTF() {
        // Cannot fail while it plays: the built-in HRTF can be made for every rate an engine can have.
        do { try adopt(EngineHRTF()) } catch { record(PHASEAssetError(.failedToLoad, "\(error)")) }
    }

    /// The name of the file the head came from, or “KEMAR (built in)” (an addition of Ossicle).
    public var hrtfName: String { control.locked { control.spatial.plans.hrtf.name } }
}

extension PHASEEngine {
    fileprivate func adopt(_ new: EngineHRTF) throws {
        try control.locked {
            var new = new
            if let output = control.spatial.output { _ = try new.filters(sampleRate: output.sampleRate) }
            control.spatial.plans.hrtf = new
            control.spatial.valuesChanged()
        }
    }
}
