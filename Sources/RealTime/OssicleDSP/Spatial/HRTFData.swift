import OssicleCore

/// A head measured from many directions, split into minimum-phase filters and delays. Control side.
package struct HRTFData: Sendable {
    package enum Ear: Int, Sendable, CaseIterable { case left, right }

    /// What was measured in one direction.
    package struct Direction: Sendable {
        /// Unit vector, x right, y up, z back.
        package var vector: Vector
        /// Seconds from a moment common to the whole head, per ear.
        package var delays: SIMD2<Float>
        /// Minimum-phase taps per ear, `tapCount` of them.
        package var left: [Float]
        package var right: [Float]

        package init(vector: Vector, delays: SIMD2<Float>, left: [Float], right: [Float]) {
            (self.vector, self.delays, self.left, self.right) = (vector, delays, left, right)
        }
    }

    package var sampleRate: Double
    package var tapCount: Int
    package var directions: [Direction]
    /// Only the left half of the sphere (x ≤ 0) is given; the right half is its mirror image.
    package var isLeftHalf: Bool

    package init(sampleRate: Double, tapCount: Int, directions: [Direction], isLeftHalf: Bool) {
        (self.sampleRate, self.tapCount, self.directions, self.isLeftHalf) = (
            sampleRate, tapCount, directions, isLeftHalf
        )
    }
}

/// Why a head could not be made: which object, which value, which rule, what to do.
package enum HRTFDataError: Error, Hashable, CustomStringConvertible {
    case notAHead
    case unsupportedVersion(UInt32)
    case wrongSize(bytes: Int, expected: Int)
    case damaged
    case unusable(field: String, value: Double, rule: String)
    case unsupportedSampleRate(Double)

    package var description: String {
        switch self {
        case .notAHead:
            "Head data: does not begin with \"OSSIHRTF\"; pass a resource made by Scripts/prepare-kemar.py."
        case .unsupportedVersion(let version):
            "Head data: version \(version), this build reads version 1; prepare the resource again with this build's script."
        case .wrongSize(let bytes, let expected):
            "Head data: \(bytes) bytes where its header announces \(expected); the file is cut short or overlong, prepare it again."
        case .damaged:
            "Head data: the checksum does not match the content; prepare the resource again."
        case .unusable(let field, let value, let rule):
            "Head data: \(field) is \(value), must be \(rule); prepare the resource again."
        case .unsupportedSampleRate(let rate):
            "Head filters: sample rate \(rate) Hz, must be 8000 ... 384000 Hz; choose a rate in that range."
        }
    }
}

extension HRTFData {
    /// The same head at another sample rate, by a windowed sinc (Kaiser, 8 zero crossings either side). Once, at load.
    ///
    /// The sinc rings ahead of each tap, so all filters move back together by its half width; minimum phase stays
    /// aligned from direction to direction, and the delays differ as before. Sums of taps (the gain at 0 Hz)
    /// are kept.
    package func resampled(to rate: Double) -> HRTFData {
        guard rate != sampleRate else { return self }
        let sinc = WindowedSinc(from: sampleRate, to: rate, tapCount: tapCount)
        var result = self
        result.sampleRate = rate
        result.tapCount = sinc.rows.count
        for index in directions.indices {
            result.directions[index].left = sinc.resample(directions[index].left)
            result.directions[index].right = sinc.resample(directions[index].right)
        }
        return result
    }
}

private struct WindowedSinc {
    private static let zeroCrossings = 8.0
    /// Cut-off over the input's Nyquist frequency, at most 1.
    private let cutoff: Double
    /// For each output tap, the first input tap it takes and their weights. One set serves every filter.
    private(set) var rows: [(first: Int, weights: [Double])] = []

    init(from input: Double, to output: Double, tapCount: Int) {
        cutoff = min(1, output / input)
        let (step, reach) = (input / output, WindowedSinc.zeroCrossings / cutoff)
        let leadIn = Int((reach / step).rounded(.up))
        let frames = Int((Double(tapCount) / step).rounded(.up)) + 2 * leadIn
        rows = (0..<(frames + 15) / 16 * 16).map { frame in
            let position = Double(frame - leadIn) * step
            let first = min(max(Int((position - reach).rounded(.up)), 0), tapCount)
            let end = min(max(Int((position + reach).rounded(.down)) + 1, first), tapCount)
            return (first, (first..<end).map { step * kernel(position - Double($0)) })
        }
    }

    func resample(_ taps: [Float]) -> [Float] {
        let values = rows.map { row in
            zip(row.weights, taps[row.first...]).reduce(0.0) { $0 + $1.0 * Double($1.1) }
        }
        // The window leaves the gain at 0 Hz a little off; it is put right, unless there is none to compare.
        let (before, after) = (taps.reduce(0.0) { $0 + Double($1) }, values.reduce(0, +))
        let scale = after.magnitude > 1e-9 ? before / after : 1
        return values.map { Float($0 * scale) }
    }

    private func kernel(_ time: Double) -> Double {
        let x = time * cutoff
        let edge = x / WindowedSinc.zeroCrossings
        guard edge.magnitude < 1 else { return 0 }
        let window = bessel(6 * (1 - edge * edge).squareRoot()) / bessel(6)
        guard x.magnitude > 1e-9 else { return cutoff }
        let angle = DeterministicMath.pi * x
        return cutoff * DeterministicMath.sin(angle) / angle * window
    }

    /// Modified Bessel function I₀ by its power series.
    private func bessel(_ x: Double) -> Double {
        var (sum, term) = (1.0, 1.0)
        for n in 1...24 {
            let factor = x / (2 * Double(n))
            term *= factor * factor
            sum += term
        }
        return sum
    }
}
