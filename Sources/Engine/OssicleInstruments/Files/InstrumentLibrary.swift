import Foundation
import OssicleRender

/// Banks that are in memory: all that play one file share its samples. A bank goes with the last that uses it.
package final class InstrumentLibrary: @unchecked Sendable {
    package static let shared = InstrumentLibrary()

    private struct Key: Hashable {
        let path: String
        let size: Int64
        let changed: Double
    }

    private struct Weak { weak var instrument: Instrument? }

    private let lock = NSLock()
    private var banks: [Key: Weak] = [:]

    private init() {}

    /// The bank at a path, with all its programs.
    package func bank(path: String) throws(InstrumentError) -> Instrument {
        var information = stat()
        guard stat(path, &information) == 0 else { return try InstrumentFile.bank(path: path) }
        let changed = Double(information.st_mtim.tv_sec) + 1e-9 * Double(information.st_mtim.tv_nsec)
        let key = Key(
            path: URL(fileURLWithPath: path).resolvingSymlinksInPath().path, size: Int64(information.st_size),
            changed: changed)
        if let known = lock.withLock({ banks[key]?.instrument }) { return known }
        let made = try InstrumentFile.bank(path: path)
        return lock.withLock {
            if let known = banks[key]?.instrument { return known }
            banks = banks.filter { $0.value.instrument != nil }
            banks[key] = Weak(instrument: made)
            return made
        }
    }
}

/// The bank of General MIDI that the machine has.
package enum StandardBank {
    /// Where Debian and others put them, in order of preference.
    package static let places = [
        "/usr/share/sounds/sf3/default-GM.sf3", "/usr/share/sounds/sf2/default-GM.sf2",
        "/usr/share/sounds/sf2/FluidR3_GM.sf2", "/usr/share/sounds/sf2/TimGM6mb.sf2",
        "/usr/share/sounds/sf3/FluidR3Mono_GM.sf3", "/usr/share/soundfonts/default.sf2",
        "/usr/share/soundfonts/FluidR3_GM.sf2", "/usr/local/share/soundfonts/default.sf2",
    ]
    /// Names a bank that comes before all of them.
    package static let variable = "OSSICLE_SOUNDFONT"

    /// The first that is there.
    package static var path: String? {
        let wished = ProcessInfo.processInfo.environment[variable].map { [$0] } ?? []
        return (wished + places).first { FileManager.default.isReadableFile(atPath: $0) }
    }

    /// Why there is none.
    package static var missing: InstrumentError {
        InstrumentError(
            .missing, object: "General MIDI", found: "no bank of sounds on this machine",
            rule: "Without a bank of its own a player takes the machine's, from \(places[1]) and like places.",
            cure:
                "Install timgm6mb-soundfont or fluid-soundfont-gm, name a bank, or set \(variable) to the path of one.")
    }
}
