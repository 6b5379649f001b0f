import Foundation
import OssicleCore

/// How many mutations a test makes: `usual`, or what `OSSICLE_MUTATIONS` says for a longer run.
public func mutationCount(_ usual: Int) -> Int {
    ProcessInfo.processInfo.environment["OSSICLE_MUTATIONS"].flatMap { Int($0) } ?? usual
}

/// Spoils bytes the way broken disks, cut transfers and malice do: bits flipped, runs overwritten, stretches cut, moved
/// in or said twice, and sizes set to extreme values. The same seed gives the same sequence of mutations.
public struct Mutator: Sendable {
    private let random: CounterRandom
    private var draws: UInt64 = 0
    /// What programs that read sizes trip over: nothing, the edges of the signed and unsigned ranges, and one beside
    /// them.
    private static let extremes: [UInt64] = [
        0, 1, 2, 3, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF, 0x10000, 0x7FFF_FFFE, 0x7FFF_FFFF,
        0x8000_0000, 0xFFFF_FFF7, 0xFFFF_FFFE,
        0xFFFF_FFFF, 0x1_0000_0000, 0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, 0xFFFF_FFFF_FFFF_FFFE,
        0xFFFF_FFFF_FFFF_FFFF,
    ]

    public init(seed: UInt64) {
        random = CounterRandom(seed: seed, object: 0)
    }

    /// A spoilt copy of `bytes`, with one to `most` mutations, half of them near the front where headers are. May come
    /// out empty.
    public mutating func mutate(_ bytes: [UInt8], most: Int = 6) -> [UInt8] {
        var bytes = bytes
        for _ in 0...below(max(most, 1)) {
            guard !bytes.isEmpty else { break }
            spoil(&bytes)
        }
        return bytes
    }

    private mutating func spoil(_ bytes: inout [UInt8]) {
        let place = place(in: bytes.count)
        let run = min(1 + below(below(4) == 0 ? 512 : 8), bytes.count - place)
        switch below(16) {
        case 0...3: bytes[place] ^= 1 << UInt8(below(8))
        case 4...5: for index in place..<place + run { bytes[index] = UInt8(below(256)) }
        case 6: for index in place..<place + run { bytes[index] = 0xFF }
        case 7: for index in place..<place + run { bytes[index] = 0 }
        case 8: bytes.removeLast(bytes.count - place)
        case 9: bytes.removeSubrange(place..<place + run)
        case 10: bytes.insert(contentsOf: (0..<run).map { _ in UInt8(below(256)) }, at: place)
        case 11: bytes.insert(contentsOf: Array(bytes[place..<place + run]), at: below(bytes.count + 1))
        default: setExtreme(&bytes, at: place)
        }
    }

    /// Overwrites a number of one, two, four or eight bytes, in either byte order.
    private mutating func setExtreme(_ bytes: inout [UInt8], at place: Int) {
        let width = 1 << below(4), value = Self.extremes[below(Self.extremes.count)], isBig = below(2) == 0
        for index in 0..<width where place + index < bytes.count {
            bytes[place + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * (isBig ? width - 1 - index : index)))
        }
    }

    /// Any byte; two times out of three one of the first 256 or of the last 64.
    private mutating func place(in count: Int) -> Int {
        switch below(6) {
        case 0...2: below(min(count, 256))
        case 3: count - 1 - below(min(count, 64))
        default: below(count)
        }
    }

    /// A number from 0 up to, not including, `limit`.
    private mutating func below(_ limit: Int) -> Int {
        draws += 1
        return min(Int(random.unit(draws) * Double(limit)), max(limit - 1, 0))
    }
}
