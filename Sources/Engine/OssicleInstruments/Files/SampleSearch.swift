import Foundation
import OssicleRender

/// Finds the sound files that an instrument names by paths of the machine it was made on.
///
/// A path that is there is taken. Otherwise its last parts are looked for beside the instrument, the longest first, so
/// that `/Volumes/X/Kits/Snare/Hit.wav` is found as `Snare/Hit.wav` or `Hit.wav`; then in the folders that such
/// instruments keep their samples in. Nothing else is searched.
struct SampleSearch {
    let folder: URL
    private static let folders = ["Samples", "samples", "Audio Files", "Audio", ".."]
    /// Parts of a path that are tried at the most.
    private static let longestEnd = 8

    init(besides path: String) { folder = URL(fileURLWithPath: path).deletingLastPathComponent() }

    /// The path of the file, or nil.
    func find(_ named: String) -> String? {
        let path = named.hasPrefix("file:") ? URL(string: named)?.path ?? named : named
        if path.hasPrefix("/"), isFile(path) { return path }
        let parts = path.split { $0 == "/" || $0 == ":" || $0 == "\\" }.map(String.init).filter {
            $0 != ".." && $0 != "."
        }
        for count in (1...max(1, min(parts.count, Self.longestEnd))).reversed() {
            let end = parts.suffix(count).joined(separator: "/")
            if !end.isEmpty, let found = here(end) { return found }
        }
        guard let name = parts.last else { return nil }
        return Self.folders.lazy.compactMap { here($0 + "/" + name) }.first
    }

    private func here(_ relative: String) -> String? {
        let path = folder.appendingPathComponent(relative).path
        return isFile(path) ? path : nil
    }

    private func isFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
    }
}

/// Sound files that an instrument's zones share, each read once.
struct SampleFiles {
    let search: SampleSearch
    let instrument: String
    private(set) var blocks: [SampleBlock?] = []
    /// Where the channels of a file begin, and how many there are.
    private var places: [String: (first: Int, sound: SoundFileSamples)] = [:]
    private(set) var missing: [String] = []
    /// Frames of one file at the most.
    private static let mostFrames = 1 << 28

    init(_ path: String) { (search, instrument) = (SampleSearch(besides: path), path) }

    /// The zone for each channel of a file; none, and a note, where that is missing or unreadable.
    mutating func zones(_ zone: InstrumentZone, _ named: String) -> [InstrumentZone] {
        guard let path = search.find(named) else {
            missing.append(named)
            return []
        }
        if places[path] == nil {
            guard let sound = try? SoundFileSamples(path: path, atMost: Self.mostFrames) else {
                missing.append(named)
                return []
            }
            places[path] = (blocks.count, sound)
            blocks += sound.blocks
        }
        guard let (first, sound) = places[path] else { return [] }
        return sound.zones(zone, firstSample: first)
    }

    /// The instrument, or an error where no sample was found.
    func finish(_ draft: InstrumentDraft, named name: String) throws(InstrumentError) -> Instrument {
        var draft = draft
        for path in missing { draft.warn("sample \"\(path)\" is not there") }
        let made = draft.instrument(named: name, samples: blocks)
        guard made.isEmpty else { return made }
        throw InstrumentError(
            missing.isEmpty ? .damaged : .sampleMissing, object: instrument,
            found: missing.first.map { "\(missing.count) samples missing, such as \"\($0)\"" } ?? "no zones",
            rule: "Samples are looked for where the instrument says, beside it, and in a folder \"Samples\" there.",
            cure: missing.isEmpty ? "Save it again." : "Put the samples beside the instrument.")
    }
}
