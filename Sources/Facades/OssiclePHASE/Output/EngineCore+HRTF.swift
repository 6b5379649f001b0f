import Foundation
import OssicleFiles
import OssicleHRTF
import OssicleSpatial

/// The HRTF that the client chooses.
extension EngineCore {
    func loadHRTF(_ url: URL) throws {
        let name = url.lastPathComponent
        do {
            guard let path = url.localPath else {
                throw HRTFSetError(
                    "Head set “\(name)”: its address is \(url.absoluteString), must be that of a file; pass URL(fileURLWithPath:)."
                )
            }
            let rate = locked { output?.sampleRate ?? manual?.format.sampleRate ?? Self.defaultFormat.sampleRate }
            // A matter of a second: the engine plays on meanwhile.
            let set = try HRTFSet(contentsOfFile: path)
            try adopt(EngineHRTF(set, name: name, prepared: try set.filters(sampleRate: rate)))
        } catch {
            throw PHASEAssetError(.failedToLoad, "\(error)")
        }
    }

    /// Cannot fail while it plays: the built-in HRTF can be made for every rate an engine can have.
    func resetHRTF() {
        do { try adopt(EngineHRTF()) } catch { record(PHASEAssetError(.failedToLoad, "\(error)")) }
    }

    private func adopt(_ new: EngineHRTF) throws {
        try locked {
            var new = new
            if let output { _ = try new.filters(sampleRate: output.sampleRate) }
            spatial.plans.hrtf = new
            spatial.valuesChanged()
        }
    }
}
