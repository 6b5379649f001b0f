import OssicleAudioToolbox
import OssicleCoreAudioTypes
import Synchronization

/// The presets that users have saved, as `.aupreset` files:
///
///     $XDG_DATA_HOME/ossicle/presets/<type>-<subtype>-<maker>/<name>.aupreset        (~/.local/share without the variable)
///
/// A file is the unit's state as a property list, with the preset's name and number. It is written whole or not at all.
/// What cannot be read is left out of the list, and is an error where it is asked for. Any thread.
struct UserPresets {
    private static let suffix = "aupreset"
    /// One change at a time, so that numbers are given once.
    private static let changing = Mutex(())
    private let name: String
    private let description: AudioComponentDescription
    private let folder: URL

    init(of unit: AUAudioUnit) {
        (name, description) = (unit.audioUnitName ?? "AUAudioUnit", unit.componentDescription)
        folder = UserData.folder.appendingPathComponent("presets", isDirectory: true).appendingPathComponent(
            UserData.name(of: description), isDirectory: true)
    }

    /// By number, from −1 down.
    var all: [AUAudioUnitPreset] {
        files.compactMap { url in try? state(in: url) }.compactMap { Self.preset($0) }.sorted { $0.number > $1.number }
    }

    /// Writes a state under the preset's name, in place of one that has it or the number. A number that is not below 0,
    /// or belongs to a preset of another name, becomes the next that is free.
    func save(_ preset: AUAudioUnitPreset, _ state: [String: Any]) throws {
        try Self.changing.withLock { _ in
            let others = all.filter { $0.name != preset.name }
            if preset.number >= 0 || others.contains(where: { $0.number == preset.number }) {
                let own = all.first { $0.name == preset.name }?.number
                preset.number = own ?? (all.map(\.number).min() ?? 0) - 1
            }
            var kept = state
            (kept[kAUPresetNameKey], kept[kAUPresetNumberKey]) = (preset.name, preset.number)
            for (key, code) in codes { kept[key] = Int(code) }
            do {
                let data = try PropertyListSerialization.data(fromPropertyList: kept, format: .xml, options: 0)
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try data.write(to: try file(preset.name), options: .atomic)
            } catch let error as OssicleError {
                throw error
            } catch {
                throw AUFault.unwrittenPreset(name, preset.name, error)
            }
        }
    }

    /// Throws for a preset there is not.
    func delete(_ preset: AUAudioUnitPreset) throws {
        try Self.changing.withLock { _ in
            do { try FileManager.default.removeItem(at: try find(preset)) } catch let error as OssicleError {
                throw error
            } catch {
                throw AUFault.unwrittenPreset(name, preset.name, error)
            }
        }
    }

    /// The state a preset holds. Throws for one there is not, for a damaged file and for another unit's.
    func state(of preset: AUAudioUnitPreset) throws -> [String: Any] { try state(in: find(preset)) }

    private var codes: [(String, OSType)] {
        [
            (kAUPresetTypeKey, description.componentType), (kAUPresetSubtypeKey, description.componentSubType),
            (kAUPresetManufacturerKey, description.componentManufacturer),
        ]
    }

    // MARK: Files

    private var files: [URL] {
        let all = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (all ?? []).filter { $0.pathExtension == Self.suffix }
    }

    /// A preset is found by its number, and by its name where that has none.
    private func find(_ preset: AUAudioUnitPreset) throws -> URL {
        let byNumber = files.first { url in (try? state(in: url)).flatMap { Self.preset($0) }?.number == preset.number }
        if preset.number < 0, let byNumber { return byNumber }
        let url = try file(preset.name)
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw AUFault.noUserPreset(name, preset.name, preset.number)
        }
        return url
    }

    private func state(in url: URL) throws -> [String: Any] {
        guard let data = try? Data(contentsOf: url),
            let state = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        else {
            throw UnitFault.wrongPreset(
                name, url.lastPathComponent, "A preset is a property list with a dictionary.")
        }
        for (key, code) in codes where (state[key] as? NSNumber)?.int64Value != Int64(code) {
            throw UnitFault.wrongPreset(
                name, url.lastPathComponent, "Type, subtype and maker in it are the unit's own.")
        }
        return state
    }

    private static func preset(_ state: [String: Any]) -> AUAudioUnitPreset? {
        guard let name = state[kAUPresetNameKey] as? String,
            let number = (state[kAUPresetNumberKey] as? NSNumber)?.intValue, number < 0
        else { return nil }
        let preset = AUAudioUnitPreset()
        (preset.number, preset.name) = (number, name)
        return preset
    }

    /// Letters, digits and spaces as they are, all else by its bytes, so that a name is a name and no path.
    private func file(_ preset: String) throws -> URL {
        let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: " -_"))
        guard let encoded = preset.addingPercentEncoding(withAllowedCharacters: plain), !encoded.isEmpty,
            encoded.utf8.count <= 200
        else { throw AUFault.presetName(name, preset) }
        return folder.appendingPathComponent(encoded + "." + Self.suffix)
    }
}

/// Where the library keeps what users make.
enum UserData {
    /// `$XDG_DATA_HOME/ossicle`; the variable counts where it holds an absolute path, else `~/.local/share` does.
    static var folder: URL {
        let environment = ProcessInfo.processInfo.environment
        let wanted = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let base = wanted ?? (environment["HOME"] ?? NSHomeDirectory()) + "/.local/share"
        return URL(fileURLWithPath: base, isDirectory: true).appendingPathComponent("ossicle", isDirectory: true)
    }

    /// `aufx-dely-appl`; codes that are no plain letters as eight hexadecimal digits.
    static func name(of description: AudioComponentDescription) -> String {
        [description.componentType, description.componentSubType, description.componentManufacturer].map { code in
            let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
            let isPlain = bytes.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            }
            return isPlain ? String(decoding: bytes, as: UTF8.self) : String(format: "%08x", code)
        }.joined(separator: "-")
    }
}
