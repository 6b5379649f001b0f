import Foundation
import OssicleFiles

/// Impulse responses that `ossicle batch` wrote at 16 kHz: WAV files of one channel.
enum TracedRooms {
    static let folder = ProcessInfo.processInfo.environment["OSSICLE_VOICE_ROOMS"]

    /// In the order of the files' names.
    static func responses() throws -> [[Float]] {
        guard let folder else { return [] }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".wav") }
        return try names.sorted().map { Array(try ResidentAudio(path: "\(folder)/\($0)").samples(0)) }
    }
}
