// What can go wrong with a conversion, in a form that tells what to do.

import OssicleCodecs

/// A refusal or failure of a converter: what was asked, what was found, the rule it breaks, the cure.
package struct ConversionError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Kind: Equatable, Sendable {
        /// No conversion leads from one format to the other.
        case unsupported
        /// A setting makes no sense with these formats.
        case invalidSetting
        /// A buffer is of the wrong form or too small.
        case invalidBuffer
        /// The codec's own failure.
        case codec(CodecError.Kind)
        /// Memory, or a library, gave out.
        case failed
    }

    package let kind: Kind
    package let object: String
    package let found: String
    package let rule: String
    package let cure: String

    package init(_ kind: Kind, object: String = "audio converter", found: String, rule: String, cure: String) {
        self.kind = kind
        self.object = object
        self.found = found
        self.rule = rule
        self.cure = cure
    }

    package init(_ error: CodecError) {
        self.init(.codec(error.kind), object: error.object, found: error.found, rule: error.rule, cure: error.cure)
    }

    package var description: String { "\(object): \(found). \(rule) \(cure)" }
}
