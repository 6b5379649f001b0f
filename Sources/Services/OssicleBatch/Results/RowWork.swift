import Foundation
import OssicleCore
import OssicleFiles
import OssicleResponses
import OssicleScenes

/// From a row of a manifest to the bytes of its files and its record. Any thread, also at once.
package struct RowWork: Sendable {
    package let manifest: Manifest
    package let seed: UInt64
    package let format: SoundFormat
    /// Of the program: another one may compute otherwise, and its rows are done again.
    package let version: String
    private let renderer: any SceneRenderer
    private let files: RowFiles

    /// - Parameters:
    ///   - seed: of the data set. - format: where rows name none.
    package init(
        _ manifest: Manifest, seed: UInt64, format: SoundFormat, version: String, renderer: any SceneRenderer
    ) {
        (self.manifest, self.seed, self.format, self.version) = (manifest, seed, format, version)
        (self.renderer, files) = (renderer, RowFiles(folder: manifest.folder))
    }

    /// A row with everything drawn.
    package struct Prepared: Sendable {
        package let source: ManifestRow
        /// A digest of all that determines its result but for the content of files it names.
        package let input: String
        let row: Row
        let format: SoundFormat
    }

    /// The files of a row.
    package struct Product: Sendable {
        /// With their names.
        package let files: [(name: String, bytes: [UInt8])]
        package let record: RowRecord
        package let warnings: [String]
    }

    package func prepared(_ index: Int) throws(RowError) -> Prepared {
        let source = try manifest.row(index)
        do {
            let draws = RowDraws(seed: seed, id: source.id, texts: files.texts)
            let value = try draws.resolved(JSONCursor(.object(source.members), file: manifest.name))
            let reader = RowReader(
                object: try JSONCursor(value, file: manifest.name).object(), draws: draws, files: files)
            let row = try reader.row(), format = try reader.format() ?? format
            let words = [version, "\(seed)", source.id, format.rawValue, value.line]
            return Prepared(
                source: source, input: SHA256.hex(of: Array(words.joined(separator: "\n").utf8)), row: row,
                format: format)
        } catch {
            throw source.error(error.finding)
        }
    }

    /// - Parameter scratch: a path that is free, for files that cannot be made in memory.
    package func product(of row: Prepared, scratch: String) throws(RowError) -> Product {
        do {
            switch row.row {
            case .room(let room):
                let result = try RoomWork(room, format: row.format).result()
                return try product(
                    row, result.sounds, sampleRate: room.sampleRate, scratch: scratch,
                    facts: RoomFacts(room, result.responses, folder: manifest.folder).members, paths: result.paths)
            case .scene(let job):
                let rendered = try renderer.render(job)
                let sound = RowSound(holds: .render, suffix: nil, channels: rendered.channels)
                return try product(
                    row, [sound], sampleRate: job.sampleRate, scratch: scratch,
                    facts: [
                        "scene": .string((job.scene as NSString).lastPathComponent),
                        "layout": .string(rendered.layout), "seed": .number(Double(job.seed)),
                    ],
                    warnings: rendered.warnings)
            }
        } catch {
            throw row.source.error(error.finding)
        }
    }

    private func product(
        _ row: Prepared, _ sounds: [RowSound], sampleRate: Int, scratch: String, facts: [String: JSONValue],
        paths: [PathFacts]? = nil, warnings: [String] = []
    ) throws -> Product {
        var (files, records) = ([(name: String, bytes: [UInt8])](), [RowRecord.File]())
        for sound in sounds {
            // Responses from nearby exceed full scale, and a gain would be lost.
            let format = sound.holds == .response ? .wav : row.format
            let name = [row.source.id, sound.suffix, format.ending].compactMap(\.self).joined(separator: ".")
            let bytes = try SoundWriter.bytes(of: sound, sampleRate: sampleRate, format: format, scratch: scratch)
            files.append((name, bytes))
            records.append(
                RowRecord.File(
                    name: name, digest: SHA256.hex(of: bytes), byteCount: bytes.count,
                    facts: SoundFacts(sound, sampleRate: sampleRate).members))
        }
        if let paths {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            let (name, bytes) = ("\(row.source.id).paths.json", [UInt8](try encoder.encode(paths)))
            files.append((name, bytes))
            records.append(
                RowRecord.File(
                    name: name, digest: SHA256.hex(of: bytes), byteCount: bytes.count,
                    facts: ["holds": .string("paths")]))
        }
        return Product(
            files: files, record: RowRecord(id: row.source.id, input: row.input, files: records, facts: facts),
            warnings: warnings)
    }
}

/// What a file of sound is.
private struct SoundFacts {
    let members: [String: JSONValue]

    init(_ sound: RowSound, sampleRate: Int) {
        var members: [String: JSONValue] = [
            "holds": .string(sound.holds.rawValue), "frames": JSONValue(sound.frameCount),
            "channels": JSONValue(sound.channels.count), "sampleRate": JSONValue(sampleRate),
        ]
        let (peak, power) = (sound.peak, sound.power)
        // Silence has no level.
        if peak > 0 {
            members["peak"] = SoundFacts.decibels(Decibels.of(amplitude: Double(peak)))
            members["rms"] = SoundFacts.decibels(Decibels.of(energy: power))
        }
        self.members = members
    }

    /// To the hundredth.
    private static func decibels(_ value: Double) -> JSONValue { .number((value * 100).rounded() / 100) }
}
