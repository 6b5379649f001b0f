import Foundation
import OssicleFiles
import OssiclePlayback
import OssicleSpatial

/// Measured rooms (additions of Ossicle).
extension OssicleAdditions where Self: PHASEEngine {
    /// Takes a measured room in place of `defaultReverbPreset`: what sources send to the late reverb is convolved with
    /// the impulse response in a sound file of any readable kind. It is not rendered with `acousticsMode` `.geometry`,
    /// and has no early reflections but its own.
    ///
    /// One channel of a response is received from all around, of two the first from the left and the second from the
    /// right; four are taken as left to left, left to right, right to left, right to right. Up to 20 s, at any rate. In
    /// the octaves of 500 Hz and 1 kHz its energy is −6 dB re the direct sound at 1 m, whatever the file's level is.
    /// While sounds play, the room before is fed until the new one has filled, and rings out. Any thread; takes some
    /// tenths of a second, in which the engine plays on.
    ///
    /// - Parameters:
    ///   - url: a sound file on this machine.
    ///   - level: dB added, −60…20; what is outside becomes the nearest, and NaN 0.
    /// - Throws: `PHASEAssetError.failedToLoad`, which names the file, what is wrong in it, the rule and the cure. The
    ///   room stays as it was.
    public func loadImpulseResponse(contentsOf url: URL, level: Double = 0) throws {
        let room = try control.measuredRoom(url, level: level.isNaN ? 0 : min(max(level, -60), 20))
        control.set { $0.measuredRoom = room }
        control.locked { control.loaded.room = (url, level) }
        control.noteFile(url) { .room(data: $0, name: $1, level: level) }
    }

    /// Goes back to `defaultReverbPreset`.
    public func unloadImpulseResponse() {
        control.set { $0.measuredRoom = nil }
        control.locked { control.loaded.room = nil }
        control.note(.noRoom)
    }

    /// The file of the measured room; nil where there is none.
    public var impulseResponseName: String? {
        control.requested { control.settings.requested.measuredRoom?.name }
    }
}

extension OssicleAdditions where Self: PHASEReverbZone {
    /// Makes the zone sound as a measured room: what reaches a listener in it is convolved with the impulse response in
    /// a sound file, as `PHASEEngine.loadImpulseResponse(contentsOf:level:)` says. Its `reverb` is not rendered then;
    /// `level` counts. Across a border the response fades into what is beyond.
    /// - Throws: `PHASEAssetError.failedToLoad`. The zone stays as it was.
    public func loadImpulseResponse(contentsOf url: URL) throws {
        let room = try control.measuredRoom(url, level: 0)
        setMeasuredRoom(room)
        control.noteFile(url) { .zoneRoom(number, data: $0, name: $1) }
    }

    /// Goes back to `reverb`.
    public func unloadImpulseResponse() {
        setMeasuredRoom(nil)
        control.note(.zoneRoom(number, data: nil, name: ""))
    }

    /// The file of the measured room; nil where there is none.
    public var impulseResponseName: String? { measuredRoomName }
}

extension EngineControl {
    /// Reads a response and prepares it for the present output. Without the lock.
    fileprivate func measuredRoom(_ url: URL, level: Double) throws -> MeasuredRoom {
        guard let path = url.localPath else {
            throw PHASEAssetError(
                .failedToLoad, "Impulse response \(url): it is not a local file; download it first.")
        }
        do {
            let room = MeasuredRoom(try ImpulseResponse(path: path, isNormalized: true), level: level)
            let rate = locked { spatial.output?.sampleRate ?? Self.defaultFormat.sampleRate }
            // A matter of tenths of a second, which an update would wait for.
            _ = room.response(sampleRate: rate)
            return room
        } catch let error as ImpulseResponseError {
            throw PHASEAssetError(.failedToLoad, "\(error)")
        } catch let error as AudioFileError {
            throw PHASEAssetError(.failedToLoad, "Impulse response: \(error)")
        }
    }
}
