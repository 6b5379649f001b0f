// What can go wrong with a codec.

import OssicleCore
import OssicleLibraries

/// A refusal or failure of an encoder or decoder; the object names which.
package typealias CodecError = Fault<CodecFault>

package enum CodecFault: FaultKind {
    /// No such codec, or not with these channels, rates or settings.
    case unsupported
    /// The codec comes with a package trait that is off.
    case traitOff
    /// A packet, or what a decoder needs to begin, makes no sense.
    case damaged
    /// An argument is out of its range.
    case outOfRange
    /// Memory, or the library, gave out.
    case failed
}

extension CodecError {
    /// The refusal of what needs FFmpeg in a build without it.
    package static func needsFFmpeg(_ object: String, found: String) -> CodecError {
        CodecError(
            .traitOff, object: object, found: found,
            rule: "AAC and the MPEG-4 containers come with the package trait \"FFmpeg\", which is off in this build.",
            cure:
                "Depend on Ossicle with traits: [\"FFmpeg\"], or use Apple Lossless in a .caf file, FLAC, Opus or MP3.")
    }

    /// Loads a codec's library, ahead of any other call of it; throws where it is not there.
    static func load(_ library: OptionalLibrary, for object: String) throws(CodecError) {
        guard !library.isThere else { return }
        throw CodecError(
            OptionalLibrary.areLookedFor ? .unsupported : .traitOff, object: object, found: library.missing.found,
            rule: "\(library.name) codes this.", cure: library.missing.cure)
    }

    static func damagedPacket(_ object: String, found: String, rule: String) -> CodecError {
        CodecError(
            .damaged, object: object, found: found, rule: rule, cure: "Leave the packet out; the next can be decoded.")
    }

    static func damagedCookie(_ object: String, found: String, rule: String) -> CodecError {
        CodecError(
            .damaged, object: object, found: found, rule: rule,
            cure: "Take the cookie from the file or from the encoder.")
    }

    static func channels(_ object: String, found: Int, allowed: ClosedRange<Int>) -> CodecError {
        CodecError(
            .unsupported, object: object, found: "\(found) channels",
            rule: "It takes \(allowed.lowerBound) to \(allowed.upperBound) channels.",
            cure: "Choose another number of channels or another codec.")
    }

    static func labels(_ object: String, found: [UInt32], allowed: [UInt32]) -> CodecError {
        CodecError(
            .unsupported, object: object, found: "the channel labels \(found)",
            rule: "With \(allowed.count) channels it takes \(allowed), in any order.",
            cure: "Choose this layout, or a codec without one, as Apple Lossless.")
    }

    static func rate(_ object: String, found: Double, rule: String) -> CodecError {
        CodecError(
            .unsupported, object: object, found: "\(found) Hz", rule: rule, cure: "Convert to one of these rates first."
        )
    }

    static func memory(_ object: String) -> CodecError {
        CodecError(
            .failed, object: object, found: "its library gave nothing back", rule: "A codec needs memory.",
            cure: "Close other streams.")
    }
}
