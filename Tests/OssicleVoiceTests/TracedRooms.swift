import Foundation

/// Impulse responses that `ossicle batch` wrote at 16 kHz: WAV files of 32-bit floats, one channel.
enum TracedRooms {
    static let folder = ProcessInfo.processInfo.environment["OSSICLE_VOICE_ROOMS"]

    /// In the order of the files' names.
    static func responses() throws -> [[Float]] {
        guard let folder else { return [] }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".wav") }
        return try names.sorted().map { name in
            samples(try Data(contentsOf: URL(fileURLWithPath: folder).appendingPathComponent(name)))
        }
    }

    /// What is in the chunk `data`.
    private static func samples(_ file: Data) -> [Float] {
        func number(_ place: Int) -> UInt32 {
            file[place..<(place + 4)].enumerated().reduce(0) { $0 | UInt32($1.element) << UInt32(8 * $1.offset) }
        }
        var place = 12
        while place + 8 <= file.count {
            let (name, size) = (file[place..<(place + 4)], Int(number(place + 4)))
            if name.elementsEqual("data".utf8) {
                return stride(from: place + 8, to: min(place + 8 + size, file.count) - 3, by: 4).map {
                    Float(bitPattern: number($0))
                }
            }
            place += 8 + size + size % 2
        }
        return []
    }
}
