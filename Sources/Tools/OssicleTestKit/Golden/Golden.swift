import Foundation
import OssicleReports

/// A rendering that is to stay as it is, within tolerances that mean something.
///
/// What is kept is a small file of numbers: levels of channels and octaves in steps of a quarter of a second, onsets,
/// directions, pitches, loudness, and of a `SceneTake` the levels, paths and factors of each sound event. A finding
/// says in words what changed, how many dB, in which event and on which path; a picture of it and the new sound are
/// written to `OSSICLE_DIFFS`, or to `ossicle-diffs` in the temporary folder.
///
/// With `OSSICLE_RECORD=1` in the environment the baseline is written in place of being compared with. Look at the
/// change before you keep it: it is text.
public struct Golden: Sendable {
    /// Of the rendering.
    public let name: String
    /// Where the baseline is.
    public let file: URL
    /// What may differ.
    public let tolerances: GoldenTolerances
    private let records: Bool

    /// - Parameters:
    ///   - name: of the rendering; the file's name without what file names may not have.
    ///   - tolerances: what may differ.
    ///   - folder: of baselines; nil for `Goldens` beside the test's source file.
    ///   - records: whether to write the baseline; nil for what `OSSICLE_RECORD` says.
    ///   - source: the test's source file.
    public init(
        _ name: String, tolerances: GoldenTolerances = GoldenTolerances(), in folder: URL? = nil, records: Bool? = nil,
        source: String = #filePath
    ) {
        self.name = name
        self.tolerances = tolerances
        let beside = URL(fileURLWithPath: source).deletingLastPathComponent().appendingPathComponent("Goldens")
        file = (folder ?? beside).appendingPathComponent(Text.fileName(name) + ".json")
        self.records = records ?? (ProcessInfo.processInfo.environment["OSSICLE_RECORD"] == "1")
    }

    /// Compares a sound with the baseline, or records it.
    public func finding(for sound: Sound) -> Finding { finding(sound, [:]) }

    /// Compares a scene's rendering with the baseline, or records it. A difference is found in the sound event that has
    /// it.
    public func finding(for take: SceneTake) -> Finding { finding(take.sound, take.events) }

    private func finding(_ sound: Sound, _ events: [String: EventTrace]) -> Finding {
        let title = "Golden “\(name)”"
        guard sound.nonFiniteSampleCount == 0 else {
            return Finding(
                holds: false, summary: "\(title): \(sound.nonFiniteSampleCount) samples are NaN or infinite")
        }
        let numbers = GoldenNumbers(sound, events: events)
        do {
            if records {
                try GoldenFile.write(numbers, to: file)
                return Finding(holds: true, summary: "\(title) was recorded", files: [file])
            }
            guard FileManager.default.fileExists(atPath: file.path) else {
                return Finding(
                    holds: false,
                    summary: "\(title) has no baseline at \(file.path): record it with OSSICLE_RECORD=1, and look at it"
                )
            }
            let comparison = GoldenComparison(from: try GoldenFile.read(file), to: numbers, tolerances)
            guard !comparison.lines.isEmpty else {
                return Finding(holds: true, summary: "\(title) is as it was")
            }
            let count = comparison.lines.count
            let alike = comparison.alike.isEmpty ? [] : ["alike: \(comparison.alike.joined(separator: ", "))"]
            return Finding(
                holds: false,
                summary: "\(title) differs from its baseline in \(count) \(count == 1 ? "point" : "points"):",
                details: comparison.lines + alike, files: try written(comparison, sound))
        } catch {
            return Finding(holds: false, summary: "\(title): \(error)")
        }
    }

    /// The picture and the sound, in files of the golden's name: those of the last difference.
    private func written(_ comparison: GoldenComparison, _ sound: Sound) throws -> [URL] {
        let chosen = ProcessInfo.processInfo.environment["OSSICLE_DIFFS"].map { URL(fileURLWithPath: $0) }
        let folder = chosen ?? FileManager.default.temporaryDirectory.appendingPathComponent("ossicle-diffs")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let base = folder.appendingPathComponent(Text.fileName(name))
        let (picture, wave) = (base.appendingPathExtension("svg"), base.appendingPathExtension("wav"))
        try Data(GoldenPicture(name: name, comparison: comparison).svg.utf8).write(to: picture, options: .atomic)
        try sound.write(to: wave)
        return [picture, wave]
    }
}

extension SoundExpectation {
    /// A golden rendering, as it was.
    public static func golden(_ golden: Golden) -> SoundExpectation {
        SoundExpectation { golden.finding(for: $0) }
    }

    /// A golden rendering, as it was; its baseline is in `Goldens` beside the test's source file.
    public static func golden(
        _ name: String, tolerances: GoldenTolerances = GoldenTolerances(), source: String = #filePath
    ) -> SoundExpectation {
        .golden(Golden(name, tolerances: tolerances, source: source))
    }
}
