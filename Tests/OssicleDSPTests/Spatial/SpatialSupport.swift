import Foundation
import OssicleCore
import OssicleDSP

/// Filters and delays (frames) of one direction.
struct HeadResponse: Equatable {
    var left, right: [Float]
    var delays: SIMD2<Float>

    init(_ head: HRTFFilters, _ direction: SIMD3<Float>) {
        var l = [Float](repeating: .nan, count: head.tapCount), r = l
        let both = withExtendedLifetime(head) { head.table.interpolate(direction, left: &l, right: &r) }
        (left, right, delays) = (l, r, SIMD2(both.left, both.right))
    }

    init(_ head: HRTFFilters, azimuth: Double, elevation: Double) {
        self.init(head, SIMD3<Float>(HeadDirection.vector(azimuth: azimuth, elevation: elevation)))
    }

    var isFinite: Bool { (left + right).allSatisfy(\.isFinite) && delays.x.isFinite && delays.y.isFinite }
    var mirrored: HeadResponse {
        var result = self
        (result.left, result.right, result.delays) = (right, left, SIMD2(delays.y, delays.x))
        return result
    }
}

/// Levels of impulse responses on a fixed list of frequencies.
struct Spectrum {
    let frequencies: [Double]
    private let turns: [[SIMD2<Double>]]

    init(_ frequencies: [Double], sampleRate: Double, length: Int) {
        self.frequencies = frequencies
        turns = frequencies.map { f in
            (0..<length).map { k in
                let angle = -2 * Double.pi * f / sampleRate * Double(k)
                return SIMD2(cos(angle), sin(angle))
            }
        }
    }

    func power(_ taps: [Float]) -> [Double] {
        turns.map { turn in
            let sum = zip(turn, taps).reduce(SIMD2<Double>.zero) { $0 + $1.0 * Double($1.1) }
            return (sum * sum).sum()
        }
    }

    func decibels(_ taps: [Float]) -> [Double] { power(taps).map { 10 * log10($0) } }

    func distortion(_ a: [Float], _ b: [Float]) -> Double {
        let squares = zip(decibels(a), decibels(b)).map { ($0 - $1) * ($0 - $1) }
        return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    }
}

/// Directions on a fine grid, poles and axes included.
func sphereGrid(step: Int) -> [SIMD3<Float>] {
    stride(from: -90, through: 90, by: step).flatMap { elevation in
        stride(from: -180, to: 180, by: step).map { azimuth in
            SIMD3<Float>(HeadDirection.vector(azimuth: Double(azimuth), elevation: Double(elevation)))
        }
    }
}

func noise(_ count: Int, seed: UInt64 = 1) -> [Float] {
    let random = CounterRandom(seed: seed, object: 0)
    return (0..<count).map { Float(random.unit(UInt64($0)) * 2 - 1) }
}
