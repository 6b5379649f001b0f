import ArgumentParser

/// A number of bits per second, also written in thousands: 128000 or 128k.
struct BitRate: ExpressibleByArgument, Sendable {
    let bitsPerSecond: Int

    init?(argument: String) {
        let isThousands = argument.hasSuffix("k")
        guard let number = Double(isThousands ? String(argument.dropLast()) : argument),
              let bits = Int(exactly: (number * (isThousands ? 1000 : 1)).rounded()) else { return nil }
        bitsPerSecond = bits
    }
}
