import OssicleCore
import OssicleDSP

/// The mean over the sphere of what both ears hear: what a set owes to its loudspeaker and microphones, and what is
/// common to all its directions.
struct DiffuseField {
    private let analyser: ResponseAnalyser
    private let step: Double
    private var power: [Double]

    init(_ analyser: ResponseAnalyser, sampleRate: Double) {
        self.analyser = analyser
        step = sampleRate / Double(analyser.size)
        power = [Double](repeating: 0, count: analyser.binCount)
    }

    /// - Parameter weight: share of the sphere.
    mutating func add(_ response: [Float], weight: Double) {
        guard weight > 0 else { return }
        for (bin, value) in analyser.power(of: response).enumerated() { power[bin] += value * weight * 0.5 }
    }

    /// Natural logarithm of the magnitude per bin: smoothed over a third of an octave, and from 400 Hz on within 12 dB
    /// of its middle level. What loudspeakers lack at the low end is no part of a head, however much it is.
    var levels: [Double] {
        var summed = [0.0]
        for value in power { summed.append(summed[summed.count - 1] + value) }
        let last = power.count
        let (down, up) = (DeterministicMath.exp2(-1.0 / 6), DeterministicMath.exp2(1.0 / 6))
        let smooth = (0..<last).map { bin in
            let low = min(max(Int((Double(bin) * down).rounded(.down)), 0), last - 1)
            let high = min(max(Int((Double(bin) * up).rounded(.up)) + 1, 1), last)
            return 0.5 * DeterministicMath.log(max((summed[high] - summed[low]) / Double(high - low), 1e-30))
        }
        let top = min(16_000, 0.4 * step * Double(2 * (last - 1)))
        let middle =
            (0..<200).reduce(0.0) { sum, index in
                let frequency = 200 * DeterministicMath.pow(top / 200, Double(index) / 199)
                return sum + Interpolation.value(of: smooth, at: frequency / step)
            } / 200
        let range = 12 * DeterministicMath.ln10 / 20
        return smooth.enumerated().map { bin, level in
            Double(bin) * step < 400 ? level : min(max(level, middle - range), middle + range)
        }
    }
}

enum Interpolation {
    /// Linearly between samples, held at the ends.
    static func value(of samples: [Double], at place: Double) -> Double {
        let place = min(max(place, 0), Double(samples.count - 1))
        let index = min(Int(place), max(samples.count - 2, 0))
        guard index + 1 < samples.count else { return samples[index] }
        return samples[index] + (samples[index + 1] - samples[index]) * (place - Double(index))
    }
}

/// Makes a sphere of the directions somebody measured.
enum SphereFilling {
    /// Degrees from the nearest measurement at which a place is missed.
    private static let missed = 15.0
    private static let ring = 1.0

    /// Beyond the rim of a set that does not surround the head, its nearest directions, held; and straight up and down,
    /// where no measurement is, the mean of the nearest ring, as the built-in head has it below. What lies between
    /// measurements is left to interpolation.
    static func places(missedBy directions: [Vector]) -> [HRTFSet.Filling] {
        let faces = SphericalTriangulation(directions).triangles
        return candidates.compactMap { place in
            let angles = directions.map {
                DeterministicMath.acos(min(max($0.dot(place), -1), 1)) * 180 / DeterministicMath.pi
            }
            guard let nearest = angles.min(), nearest > missed else { return nil }
            guard place.y.magnitude == 1 || !faces.contains(where: { covers(place, $0, directions) }) else {
                return nil
            }
            return HRTFSet.Filling(vector: place, members: angles.indices.filter { angles[$0] <= nearest + ring })
        }
    }

    /// All around, every 30°.
    private static var candidates: [Vector] {
        var places = [Vector(0, 1, 0), Vector(0, -1, 0)]
        for elevation in [-60.0, -30, 0, 30, 60] {
            for step in 0..<12 { places.append(HeadDirection.vector(azimuth: 30 * Double(step), elevation: elevation)) }
        }
        return places
    }

    private static func covers(_ p: Vector, _ face: SIMD3<Int32>, _ directions: [Vector]) -> Bool {
        let (a, b, c) = (directions[Int(face.x)], directions[Int(face.y)], directions[Int(face.z)])
        return volume(a, b, c) > 1e-6 && volume(p, b, c) > -1e-9 && volume(a, p, c) > -1e-9 && volume(a, b, p) > -1e-9
    }

    private static func volume(_ a: Vector, _ b: Vector, _ c: Vector) -> Double { a.dot(b.cross(c)) }

    /// The share of the sphere that each direction stands for; a filling's goes to its members. Sum 1.
    static func weights(
        of directions: [Vector], with fillings: [HRTFSet.Filling], name: String
    ) throws(HRTFSetError) -> [Double] {
        let all = directions + fillings.map(\.vector)
        var weights = [Double](repeating: 0, count: all.count)
        for face in SphericalTriangulation(all).triangles {
            let (a, b, c) = (all[Int(face.x)], all[Int(face.y)], all[Int(face.z)])
            let volume = volume(a, b, c)
            // What shows the centre its outside only closes a set that does not surround it.
            guard volume > 1e-6 else { continue }
            // Solid angle of a triangle: Van Oosterom and Strackee (1983).
            let angle = 2 * DeterministicMath.atan2(volume, 1 + a.dot(b) + b.dot(c) + c.dot(a))
            for corner in [face.x, face.y, face.z] { weights[Int(corner)] += angle / 3 }
        }
        for (index, filling) in fillings.enumerated() {
            let share = weights[directions.count + index] / Double(max(filling.members.count, 1))
            for member in filling.members { weights[member] += share }
        }
        let measured = weights.prefix(directions.count)
        let sum = measured.reduce(0, +)
        guard sum > 1e-6 else {
            throw HRTFSetError(
                name, "SourcePosition", "in one plane through the head, and not all around it",
                rule: "directions that enclose some part of the sphere",
                cure: "export a set of directions all around the head")
        }
        return measured.map { $0 / sum }
    }
}
