// Refusals that several codecs share.

extension CodecError {
    static func damagedPacket(_ object: String, found: String, rule: String) -> CodecError {
        CodecError(.damaged, object: object, found: found, rule: rule, cure: "Leave the packet out; the next can be decoded.")
    }

    static func damagedCookie(_ object: String, found: String, rule: String) -> CodecError {
        CodecError(.damaged, object: object, found: found, rule: rule, cure: "Take the cookie from the file or from the encoder.")
    }

    static func channels(_ object: String, found: Int, allowed: ClosedRange<Int>) -> CodecError {
        CodecError(.unsupported, object: object, found: "\(found) channels",
                   rule: "It takes \(allowed.lowerBound) to \(allowed.upperBound) channels.",
                   cure: "Choose another number of channels or another codec.")
    }

    static func labels(_ object: String, found: [UInt32], allowed: [UInt32]) -> CodecError {
        CodecError(.unsupported, object: object, found: "the channel labels \(found)",
                   rule: "With \(allowed.count) channels it takes \(allowed), in any order.",
                   cure: "Choose this layout, or a codec without one, as Apple Lossless.")
    }

    static func rate(_ object: String, found: Double, rule: String) -> CodecError {
        CodecError(.unsupported, object: object, found: "\(found) Hz", rule: rule, cure: "Convert to one of these rates first.")
    }

    static func memory(_ object: String) -> CodecError {
        CodecError(.failed, object: object, found: "its library gave nothing back", rule: "A codec needs memory.", cure: "Close other streams.")
    }
}
