/// A colour in sRGB.
struct Colour: Sendable, Equatable {
    let red, green, blue: UInt8

    init(_ hex: UInt32) {
        red = UInt8(truncatingIfNeeded: hex >> 16)
        green = UInt8(truncatingIfNeeded: hex >> 8)
        blue = UInt8(truncatingIfNeeded: hex)
    }

    /// 256 steps through `stops`, evenly spaced.
    static func ramp(_ stops: [Colour]) -> [Colour] {
        (0..<256).map { step in
            let place = Double(step) / 255 * Double(stops.count - 1)
            let i = min(Int(place), stops.count - 2)
            return stops[i].mixed(with: stops[i + 1], share: place - Double(i))
        }
    }

    /// From silence to full level: dark blue over violet and orange to pale yellow, lightness rising all the way.
    static let levels = ramp([0x0B0B26, 0x2D1160, 0x721F81, 0xB6377A, 0xF0605D, 0xFEAF77, 0xFCFDBF].map(Colour.init))

    private func mixed(with other: Colour, share: Double) -> Colour {
        func mix(_ a: UInt8, _ b: UInt8) -> UInt32 { UInt32((Double(a) + (Double(b) - Double(a)) * share).rounded()) }
        return Colour(mix(red, other.red) << 16 | mix(green, other.green) << 8 | mix(blue, other.blue))
    }
}
