// What can go wrong with a codec, in a form that tells what to do.

/// A refusal or failure of an encoder or decoder: what was asked, what was found, the rule it breaks, the cure.
package struct CodecError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Kind: Equatable, Sendable {
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

    package let kind: Kind
    /// Which encoder or decoder.
    package let object: String
    package let found: String
    package let rule: String
    package let cure: String

    package init(_ kind: Kind, object: String, found: String, rule: String, cure: String) {
        self.kind = kind
        self.object = object
        self.found = found
        self.rule = rule
        self.cure = cure
    }

    package var description: String { "\(object): \(found). \(rule) \(cure)" }

    /// The refusal of what needs FFmpeg in a build without it.
    package static func needsFFmpeg(_ object: String, found: String) -> CodecError {
        CodecError(.traitOff, object: object, found: found,
                   rule: "AAC and the MPEG-4 containers come with the package trait \"FFmpeg\", which is off in this build.",
                   cure: "Depend on Ossicle with traits: [\"FFmpeg\"], or use Apple Lossless in a .caf file, FLAC, Opus or MP3.")
    }
}
