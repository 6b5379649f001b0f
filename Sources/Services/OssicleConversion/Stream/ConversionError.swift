// What can go wrong with a conversion, and which formats a conversion may have.

import OssicleCodecs
import OssicleCore

/// A refusal or failure of a converter.
package typealias ConversionError = Fault<ConversionFault>

package enum ConversionFault: FaultKind {
    /// No conversion leads from one format to the other.
    case unsupported
    /// A setting makes no sense with these formats.
    case invalidSetting
    /// A buffer is of the wrong form or too small.
    case invalidBuffer
    /// The codec's own failure.
    case codec(CodecFault)
    /// Memory, or a library, gave out.
    case failed
}

extension ConversionError {
    package init(_ kind: ConversionFault, found: String, rule: String, cure: String) {
        self.init(kind, object: "audio converter", found: found, rule: rule, cure: cure)
    }

    /// Core Audio's status for it.
    package var status: Int32 {
        switch kind {
        case .unsupported, .codec(.unsupported), .codec(.traitOff): 0x666D_743F // fmt?
        case .invalidSetting, .codec(.outOfRange): 0x6F70_3F3F // op??
        case .invalidBuffer: -50 // parameter
        case .codec(.damaged), .codec(.failed), .failed: 0x7768_6174 // what
        }
    }

    package init(_ error: CodecError) {
        self.init(.codec(error.kind), object: error.object, found: error.found, rule: error.rule, cure: error.cure)
    }
}

extension PCMFormat {
    func check() throws(ConversionError) {
        try StreamFormat.pcm(self).check()
        if sampleLoops == nil { throw noSuchSample }
    }

    var noSuchSample: ConversionError {
        ConversionError(
            .unsupported, found: "samples of kind \(kind) with \(bits) bits in \(bytesPerSample) bytes",
            rule: "Floats have 32 or 64 bits, integers 1 to 32 in 1 to 4 bytes that hold them.",
            cure: "Choose such a form.")
    }
}

extension StreamFormat {
    /// More channels or faster rates make no sound; they would only ask for memory without bounds.
    private static let largestChannelCount = 1024
    private static let largestRate = 1e8

    /// Throws when a stream cannot have this rate, these channels or labels.
    func check() throws(ConversionError) {
        guard channelCount >= 1, channelCount <= Self.largestChannelCount else {
            throw ConversionError(
                .unsupported, found: "\(channelCount) channels", rule: "A stream has 1 to \(Self.largestChannelCount).",
                cure: "Give such a number.")
        }
        guard sampleRate > 0, sampleRate <= Self.largestRate else {
            throw ConversionError(
                .unsupported, found: "a rate of \(sampleRate) Hz",
                rule: "Rates are positive and at most \(Self.largestRate) Hz.",
                cure: "Give the stream's rate.")
        }
        if let labels = channelLabels, labels.count != channelCount {
            throw ConversionError(
                .unsupported, found: "\(labels.count) labels for \(channelCount) channels",
                rule: "Each channel has one label.",
                cure: "Give a layout of as many channels, or none.")
        }
    }
}
