/// Channel messages of Universal MIDI as MIDI 1.0 bytes, for a render thread: values of MIDI 2.0 are cut to their
/// highest bits (M2-104-UM, D.3, downscaling), a velocity of 0 becomes 1, and what bytes cannot say is left out.
package enum UniversalBytes {
    /// Up to three bytes, and how many; 0 for a message that has none.
    package typealias Message = (bytes: (UInt8, UInt8, UInt8), count: Int)

    /// Words of the message that begins with `word`.
    package static func wordCount(_ word: UInt32) -> Int {
        switch word >> 28 {
        case 3, 4, 8, 9, 10: 2
        case 11, 12: 3
        case 5, 13, 14, 15: 4
        default: 1
        }
    }

    /// The message of a word and the one behind it, 0 for none.
    package static func message(_ word: UInt32, _ next: UInt32) -> Message {
        switch word >> 28 {
        case 1, 2: plain(word)
        case 4: voice(word, next)
        default: ((0, 0, 0), 0)
        }
    }

    private static func byte(_ word: UInt32, _ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: word >> shift) }

    private static func plain(_ word: UInt32) -> Message {
        let status = byte(word, 16)
        let bytes = (status, byte(word, 8) & 0x7F, byte(word, 0) & 0x7F)
        switch status {
        case 0x80...0xBF, 0xE0...0xEF, 0xF2: return (bytes, 3)
        case 0xC0...0xDF, 0xF1, 0xF3: return (bytes, 2)
        case 0xF6, 0xF8...0xFF: return (bytes, 1)
        default: return (bytes, 0)
        }
    }

    private static func voice(_ word: UInt32, _ value: UInt32) -> Message {
        let status = byte(word, 16), index = byte(word, 8) & 0x7F, high = byte(value, 25)
        switch status >> 4 {
        case 0x8: return ((status, index, high), 3)
        case 0x9: return ((status, index, max(high, 1)), 3)
        case 0xA, 0xB: return ((status, index, high), 3)
        case 0xC: return ((status, byte(value, 24) & 0x7F, 0), 2)
        case 0xD: return ((status, high, 0), 2)
        case 0xE: return ((status, byte(value, 18) & 0x7F, high), 3)
        default: return ((0, 0, 0), 0)
        }
    }
}
