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
///     level − diffuse field ─▶ low end continued to 0 dB ─▶ to the rate ─▶ minimum phase ─▶ the nearest so many taps
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
    private let set: HRTFSet
    private let analyser: ResponseAnalyser
    private let lowEnd: LowEnd
    /// Where each bin of the output lies among the measured ones.
    private let places: [Double]
    private let fit: TapFit

    init(_ set: HRTFSet, rate: Double, tapCount: Int) {
        self.set = set
        analyser = ResponseAnalyser(responseLength: set.measurements.first?.left.count ?? 1)
        let (size, step) = (Double(analyser.size), set.sampleRate / Double(analyser.size))
        lowEnd = LowEnd(step: step, binCount: analyser.binCount)
        // The measurement's own low-pass is not part of a head: 20 kHz of 22.05 kHz, and so on.
        let highest = min(20_000, set.sampleRate * (20.0 / 44.1))
        places = (0..<analyser.binCount).map { min(Double($0) * rate / size, highest) / step }
        fit = TapFit(step: rate / size, size: analyser.size, tapCount: tapCount)
    }

    /// Natural logarithm of the magnitude, on the output's bins.
    func levels(_ response: [Float]) -> [Double] {
        var levels = analyser.logMagnitudes(of: response)
        for bin in levels.indices { levels[bin] -= set.diffuseField[bin] }
        lowEnd.replace(in: &levels)
        return places.map { Interpolation.value(of: levels, at: $0) }
    }

    func taps(_ levels: [Double]) -> [Float] {
        fit.taps(
            analyser.minimumPhase(levels, weights: fit.weights, count: fit.tapCount),
            sum: DeterministicMath.exp(levels.first ?? 0)
        ).map { Float($0) }
    }
}

/// Levels below 125 Hz, where loudspeakers end: they fall to 0 dB with the square of the frequency, as that of a small
/// body does, from the mean of a third octave. A raised cosine over half an octave lies between.
private struct LowEnd {
    private static let frequency = 125.0
    /// Per bin that is changed: the square law, and how much of the measured level counts.
    private let shares: [(law: Double, measured: Double)]
    private let around: Range<Int>

    init(step: Double, binCount: Int) {
        func bin(_ octaves: Double) -> Double { Self.frequency * DeterministicMath.exp2(octaves) / step }
        let first = min(Int(bin(-1.0 / 6).rounded(.up)), binCount - 1)
        around = first..<min(max(Int(bin(1.0 / 6)) + 1, first + 1), binCount)
        shares = (0..<min(Int(bin(0.25)) + 1, binCount)).map { index in
            let ratio = Double(index) * step / Self.frequency
            let place = min(max(2 * DeterministicMath.log2(max(ratio, 1e-3)) + 0.5, 0), 1)
            return (min(ratio * ratio, 2), 0.5 - 0.5 * DeterministicMath.cos(DeterministicMath.pi * place))
        }
    }

    func replace(in levels: inout [Double]) {
        let level = levels[around].reduce(0, +) / Double(around.count)
        for (bin, share) in shares.enumerated() {
            levels[bin] = level * share.law + (levels[bin] - level * share.law) * share.measured
        }
    }
}

/// Of all filters with so many taps the one whose spectrum is nearest to that of a longer one, each frequency with a
/// weight of 1/(f + 100 Hz), so that the low octaves keep their phase, and which is the same at 0 Hz.
///
/// Least squares: R h = b, R the autocorrelation of the weights and b the longer filter behind them.
private struct TapFit {
    let tapCount: Int
    /// Per bin.
    let weights: [Double]
    private let factor: ToeplitzFactor
    /// What one more at 0 Hz costs: R⁻¹ of ones, its sum 1.
    private let slope: [Double]

    init(step: Double, size: Int, tapCount: Int) {
        self.tapCount = tapCount
        weights = (0...size / 2).map { 1 / (Double($0) * step + 100) }
        factor = ToeplitzFactor(Self.correlation(weights, size: size, count: tapCount))
        let even = factor.solved([Double](repeating: 1, count: tapCount))
        let sum = even.reduce(0, +)
        slope = even.map { $0 / sum }
    }

    /// - Parameters:
    ///   - wanted: the longer filter behind the weights, its first `tapCount` samples. - sum: its gain at 0 Hz.
    func taps(_ wanted: [Double], sum: Double) -> [Double] {
        let taps = factor.solved(wanted)
        let lack = sum - taps.reduce(0, +)
        return zip(taps, slope).map { $0 + lack * $1 }
    }

    private static func correlation(_ weights: [Double], size: Int, count: Int) -> [Double] {
        let cosines = (0..<size).map { DeterministicMath.cos(2 * DeterministicMath.pi * Double($0) / Double(size)) }
        return (0..<count).map { lag in
            let ends = weights[0] + (weights.last ?? 0) * cosines[lag * (size / 2) % size]
            return (1..<size / 2).reduce(ends) { $0 + 2 * weights[$1] * cosines[lag * $1 % size] } / Double(size)
        }
    }
}
