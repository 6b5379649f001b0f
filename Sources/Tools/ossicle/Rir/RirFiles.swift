import Foundation
import OssicleCore
import OssicleFiles
import OssicleResponses

/// Where the results go: checked before the work begins, and each file in its place only when it is whole.
struct RirFiles {
    private let outputs: [String]
    private let pictures: [String]
    private let json: String?
    private let isSofa: Bool
    private let overwrites: Bool
    private let played: [String]
    private let isMultichannel: Bool

    /// What is written besides.
    struct Extras {
        var isMultichannel = false
        var paths: String?
        var isPlayed = false
    }

    init(
        output: String, picture: String?, json: String?, count: Int, overwrites: Bool, extras: Extras = Extras()
    ) throws {
        let ending = (output as NSString).pathExtension.lowercased()
        guard ending == "wav" || ending == "sofa" else {
            throw ToolError("\(output) is neither .wav nor .sofa: give --output a name with one of these endings.")
        }
        if let picture, (picture as NSString).pathExtension.lowercased() != "svg" {
            throw ToolError(
                "\(picture) is not .svg: give --picture a name with that ending (rsvg-convert makes a PNG of it).")
        }
        isSofa = ending == "sofa"
        isMultichannel = extras.isMultichannel && !isSofa
        outputs = isSofa || isMultichannel ? [output] : RirFiles.numbered(output, count)
        played =
            extras.isPlayed ? RirFiles.numbered("\((output as NSString).deletingPathExtension)-played.wav", count) : []
        pictures = picture.map { RirFiles.numbered($0, count) } ?? []
        (self.json, self.overwrites) = (json, overwrites)
        let all = outputs + pictures + played + [json, extras.paths].compactMap(\.self)
        for path in all {
            _ = try OutputFile(path)
            guard overwrites || !FileSystem.exists(path) else {
                throw ToolError("\(path) exists: give --overwrite to replace it.")
            }
        }
        guard Set(all.map(FileSystem.identity)).count == all.count else {
            throw ToolError(
                "Two results would go into one file: give --output, --picture, --json and --paths names of their own.")
        }
    }

    /// "a.wav", or "a-1.wav", "a-2.wav" … for several.
    private static func numbered(_ path: String, _ count: Int) -> [String] {
        guard count > 1 else { return [path] }
        let (stem, ending) = ((path as NSString).deletingPathExtension, (path as NSString).pathExtension)
        return (1...count).map { "\(stem)-\($0).\(ending)" }
    }

    /// Writes all, and returns each file of sound with its digest.
    func write(
        _ results: [RirResult], _ scene: RirScene, command: RirCommand
    ) throws -> [(path: String, hash: String)] {
        var hashes: [(path: String, hash: String)] = []
        if isSofa {
            hashes.append(
                (
                    outputs[0],
                    try UnfinishedFile.put(outputs[0], overwriting: overwrites) {
                        try document(results, scene, command: command).write(to: $0)
                    }
                ))
        } else {
            let sounds = results.map(\.response.channels)
            for (path, sound) in zip(outputs, isMultichannel ? [RirFiles.joined(sounds)] : sounds) {
                hashes.append((path, try write(sound, to: path, sampleRate: command.rate)))
            }
        }
        for (path, result) in zip(pictures, results) {
            let svg = RirPicture(
                result: result, scene: scene, details: command.acoustics.details(else: RirCommand.quality)
            ).svg
            _ = try UnfinishedFile.put(path, overwriting: overwrites) {
                try Data(svg.utf8).write(to: URL(fileURLWithPath: $0))
            }
        }
        if let json { try write(results.map(RirFacts.init), to: json) }
        return hashes
    }

    /// Writes facts as JSON, sorted and readable.
    func write(_ facts: some Encodable, to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let data = try encoder.encode(facts)
        _ = try UnfinishedFile.put(path, overwriting: overwrites) { try data.write(to: URL(fileURLWithPath: $0)) }
    }

    /// Writes what a sound became, and returns each file with its digest.
    func write(_ played: PlayedSound, sampleRate: Int) throws -> [(path: String, hash: String)] {
        try zip(self.played, played.sounds).map { ($0, try write($1, to: $0, sampleRate: sampleRate)) }
    }

    private func write(_ channels: [[Float]], to path: String, sampleRate: Int) throws -> String {
        guard let wave = WaveFile(channels: channels, sampleRate: sampleRate) else {
            throw ToolError(
                "\(path) would be longer than a WAVE file can be: give a shorter --length, or fewer microphones.")
        }
        return try UnfinishedFile.put(path, overwriting: overwrites) {
            try Data(wave.bytes).write(to: URL(fileURLWithPath: $0))
        }
    }

    /// All channels of all sounds, with silence at the end of the shorter ones.
    private static func joined(_ sounds: [[[Float]]]) -> [[Float]] {
        let channels = sounds.flatMap(\.self), count = channels.map(\.count).max() ?? 0
        return channels.map { $0 + [Float](repeating: 0, count: count - $0.count) }
    }

    private func document(_ results: [RirResult], _ scene: RirScene, command: RirCommand) throws -> SofaDocument {
        SofaDocument(
            title: "Room impulse responses of the \(scene.title)", room: scene.room,
            receiver: try command.hearing.made(sampleRate: Double(command.rate)),
            temperature: command.acoustics.temperature + 273.15,
            measurements: results.map {
                .init(source: $0.pair.source, listener: $0.pair.listener, response: $0.response)
            },
            date: RirFiles.date, application: ("ossicle", Ossicle.version))
    }

    /// That of `SOURCE_DATE_EPOCH` (reproducible-builds.org), the beginning of 1970 without it: the clock has no part
    /// in the bytes.
    private static var date: String {
        let seconds = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"].flatMap { Double($0) } ?? 0
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss"
        return formatter.string(from: Date(timeIntervalSince1970: min(max(seconds, 0), 253_402_300_799)))
    }
}
