import OssicleCore
import OssicleDSP

/// A head measured by somebody, from a SOFA file: checked, its delays found and its level known. Made ready for a
/// sample rate by `filters`.
package struct HRTFSet: Sendable {
    /// One direction as it was measured.
    struct Measurement: Sendable {
        /// Unit vector, x right, y up, z back.
        var vector: Vector
        /// Seconds, per ear.
        var delays: SIMD2<Double>
        var left, right: [Float]
    }

    /// A direction without a measurement, as the mean of others.
    struct Filling: Sendable {
        var vector: Vector
        var members: [Int]
    }

    /// The file's.
    package let name: String
    let sampleRate: Double
    let measurements: [Measurement]
    let fillings: [Filling]
    /// Level of the diffuse field on the bins of `spectrumSize`, natural logarithm; what is not the head but
    /// loudspeaker and microphone.
    let diffuseField: [Double]
    let spectrumSize: Int

    /// Reads and checks a file. A matter of a second for a thousand directions; any thread.
    package init(contentsOfFile path: String) throws(HRTFSetError) {
        try self.init(try SofaReader.read(contentsOfFile: path))
    }

    init(_ file: SofaFile) throws(HRTFSetError) {
        var measured = try MeasuredSet(file)
        name = file.name
        sampleRate = measured.sampleRate
        let analyser = ResponseAnalyser(responseLength: file.samples)
        measured.findDelays(analyser)
        try measured.checkDelays()
        measured.orderEars()
        measurements = measured.measurements
        let directions = measurements.map(\.vector)
        fillings = SphereFilling.places(missedBy: directions)
        let weights = try SphereFilling.weights(of: directions, with: fillings, name: file.name)
        var field = DiffuseField(analyser, sampleRate: sampleRate)
        for (measurement, weight) in zip(measurements, weights) {
            field.add(measurement.left, weight: weight)
            field.add(measurement.right, weight: weight)
        }
        diffuseField = field.levels
        spectrumSize = analyser.size
    }
}

/// Why a set of head responses cannot be used.
package struct HRTFSetError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }

    /// - Parameters:
    ///   - file: its name. - what: the attribute or variable that is wrong. - value: as found. - rule: what it must be.
    init(_ file: String, _ what: String, _ value: some CustomStringConvertible, rule: String, cure: String) {
        description = "Head set “\(file)”: \(what) is \(value), must be \(rule); \(cure)."
    }
}

/// From measurements to filters, in the steps of `Scripts/prepare-kemar.py`, so that all heads are alike in everything
/// but the head:
///
///     level − diffuse field ─▶ 0 dB below 200 Hz ─▶ to the rate ─▶ minimum phase ─▶ cut, faded ─▶ low end restored
///
/// Left out is the averaging of both sides: the built-in head is symmetric, people are not.
extension HRTFSet {
    /// Ready to render, with as many taps as the built-in head has at that rate. Same file, same rate: the same bytes.
    /// - Throws: for a rate outside 8…384 kHz.
    package func filters(sampleRate: Double) throws(HRTFSetError) -> HRTFFilters {
        let pattern: HRTFData
        do {
            guard (8000...384_000).contains(sampleRate) else { throw HRTFDataError.unsupportedSampleRate(sampleRate) }
            pattern = try HRTFData.kemar(for: sampleRate)
        } catch {
            throw HRTFSetError("Head set “\(name)”: \(error)")
        }
        return HRTFFilters(head(at: pattern.sampleRate, tapCount: pattern.tapCount).resampled(to: sampleRate))
    }

    func head(at rate: Double, tapCount: Int) -> HRTFData {
        let shaper = FilterShaper(self, rate: rate, tapCount: tapCount)
        var directions: [HRTFData.Direction] = []
        let kept = Set(fillings.flatMap(\.members))
        var levels: [Int: (left: [Double], right: [Double])] = [:]
        for (index, measurement) in measurements.enumerated() {
            let (left, right) = (shaper.levels(measurement.left), shaper.levels(measurement.right))
            if kept.contains(index) { levels[index] = (left, right) }
            directions.append(
                HRTFData.Direction(
                    vector: measurement.vector, delays: SIMD2<Float>(measurement.delays),
                    left: shaper.taps(left), right: shaper.taps(right)))
        }
        for filling in fillings {
            let members = filling.members.compactMap { levels[$0] }
            let delays =
                filling.members.reduce(SIMD2<Double>.zero) { $0 + measurements[$1].delays }
                / Double(max(filling.members.count, 1))
            directions.append(
                HRTFData.Direction(
                    vector: filling.vector, delays: SIMD2<Float>(delays),
                    left: shaper.taps(Self.mean(members.map(\.left))),
                    right: shaper.taps(Self.mean(members.map(\.right)))))
        }
        return HRTFData(sampleRate: rate, tapCount: tapCount, directions: directions, isLeftHalf: false)
    }

    private static func mean(_ rows: [[Double]]) -> [Double] {
        guard var sum = rows.first else { return [] }
        for row in rows.dropFirst() { for index in sum.indices { sum[index] += row[index] } }
        return sum.map { $0 / Double(rows.count) }
    }
}

/// What is the same for all responses of a set at one rate.
private struct FilterShaper {
    private static let fadeCount = 32
    private let set: HRTFSet
    private let analyser: ResponseAnalyser
    private let tapCount: Int
    /// How much of the measured level counts, per measured bin: 0 up to 200 Hz, 1 from 400 Hz.
    private let measuredShare: [Double]
    /// Where each bin of the output lies among the measured ones.
    private let places: [Double]
    private let fade: [Double]
    private let lowEnd: LowEnd

    init(_ set: HRTFSet, rate: Double, tapCount: Int) {
        self.set = set
        self.tapCount = tapCount
        analyser = ResponseAnalyser(responseLength: set.measurements.first?.left.count ?? 1)
        let (size, step) = (Double(analyser.size), set.sampleRate / Double(analyser.size))
        measuredShare = (0..<analyser.binCount).map { bin in
            let octave = min(max(DeterministicMath.log2(max(Double(bin) * step, 1) / 200), 0), 1)
            return 0.5 - 0.5 * DeterministicMath.cos(DeterministicMath.pi * octave)
        }
        // The measurement's own low-pass is not part of a head: 20 kHz of 22.05 kHz, and so on.
        let highest = min(20_000, set.sampleRate * (20.0 / 44.1))
        places = (0..<analyser.binCount).map { min(Double($0) * rate / size, highest) / step }
        let (taps, fadeCount) = (tapCount, min(Self.fadeCount, tapCount))
        fade = (0..<taps).map { tap in
            let into = tap - (taps - fadeCount)
            return into < 0
                ? 1 : 0.5 + 0.5 * DeterministicMath.cos(DeterministicMath.pi * (Double(into) + 0.5) / Double(fadeCount))
        }
        lowEnd = LowEnd(rate: rate, tapCount: tapCount)
    }

    /// Natural logarithm of the magnitude, on the output's bins.
    func levels(_ response: [Float]) -> [Double] {
        var levels = analyser.logMagnitudes(of: response)
        for bin in levels.indices { levels[bin] = (levels[bin] - set.diffuseField[bin]) * measuredShare[bin] }
        return places.map { Interpolation.value(of: levels, at: $0) }
    }

    func taps(_ levels: [Double]) -> [Float] {
        let full = analyser.minimumPhase(levels, count: tapCount)
        return lowEnd.restored(zip(full, fade).map { $0 * $1 }).map { Float($0) }
    }
}

/// Magnitude 1 at 0 and at 200 Hz again after the cut, by the smallest change shaped like one slow bump.
private struct LowEnd {
    /// At 0 Hz, and both parts at 200 Hz.
    private let rows: [[Double]]
    private let shaped: [[Double]]
    /// Of the matrix shaped · rows.
    private let inverse: [Vector]

    init(rate: Double, tapCount: Int) {
        let turn = 2 * DeterministicMath.pi * 200 / rate
        let bump = (0..<tapCount).map { tap in
            let sine = DeterministicMath.sin(DeterministicMath.pi * (Double(tap) + 0.5) / Double(tapCount))
            return sine * sine
        }
        let rows = [
            (0..<tapCount).map { _ in 1.0 }, (0..<tapCount).map { DeterministicMath.cos(turn * Double($0)) },
            (0..<tapCount).map { -DeterministicMath.sin(turn * Double($0)) },
        ]
        let shaped = rows.map { row in zip(row, bump).map { $0 * $1 } }
        let columns = (0..<3).map { column in
            Vector(
                LowEnd.dot(shaped[0], rows[column]), LowEnd.dot(shaped[1], rows[column]),
                LowEnd.dot(shaped[2], rows[column]))
        }
        let determinant = columns[0].dot(columns[1].cross(columns[2]))
        inverse = [
            columns[1].cross(columns[2]) / determinant, columns[2].cross(columns[0]) / determinant,
            columns[0].cross(columns[1]) / determinant,
        ]
        (self.rows, self.shaped) = (rows, shaped)
    }

    private static func dot(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).reduce(0.0) { $0 + $1.0 * $1.1 } }

    func restored(_ taps: [Double]) -> [Double] {
        let gains = rows.map { LowEnd.dot(taps, $0) }
        let at200 = (gains[1] * gains[1] + gains[2] * gains[2]).squareRoot()
        guard at200 > 1e-6 else { return taps }
        let lack = Vector(1 - gains[0], gains[1] / at200 - gains[1], gains[2] / at200 - gains[2])
        // The matrix is symmetric, so rows and columns of its inverse are the same.
        let weights = inverse.map { $0.dot(lack) }
        return taps.indices.map {
            taps[$0] + weights[0] * shaped[0][$0] + weights[1] * shaped[1][$0] + weights[2] * shaped[2][$0]
        }
    }
}
