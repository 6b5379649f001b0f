import ArgumentParser
import OssicleCore

/// A place in the world on the command line: x,y,z in metres.
struct Place: ExpressibleByArgument, Equatable {
    let vector: Vector

    init?(argument: String) {
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0.trimmingPrefix { $0 == " " }) }
        guard numbers.count == 3, let x = numbers[0], let y = numbers[1], let z = numbers[2] else { return nil }
        let vector = Vector(x, y, z)
        guard vector.isFinite, max(x.magnitude, y.magnitude, z.magnitude) <= 1e6 else { return nil }
        self.vector = vector
    }

    /// "2, 1.5, −3": metres to the millimetre, without zeros at the end.
    static func text(_ vector: Vector) -> String {
        [vector.x, vector.y, vector.z].map(Text.length).joined(separator: ", ")
    }
}

/// The size of a room on the command line: 6x3x5, metres along x, y (up) and z.
struct BoxSize: ExpressibleByArgument, Equatable {
    let vector: Vector

    init?(argument: String) {
        let numbers = argument.lowercased().split(whereSeparator: { "x×".contains($0) }).compactMap { Double($0) }
        guard numbers.count == 3 else { return nil }
        vector = Vector(numbers[0], numbers[1], numbers[2])
    }
}
