import OssicleCore
import OssicleDSP

/// A head measured by somebody, from a SOFA file: checked, its delays found and its level known. Made ready for a sample rate by `filters`.
package struct HeadSet: Sendable {
    /// One direction as it was measured.
    struct Measurement: Sendable {
        /// Unit vector, x right, y up, z back.
        var vector: Vector
        /// Seconds, per ear.
        var delays: SIMD2<Double>
        var left, right: [Float]
    }

    /// A direction that nobody measured, as the mean of others.
    struct Filling: Sendable {
        var vector: Vector
        var members: [Int]
    }

    /// The file's.
    package let name: String
    let sampleRate: Double
    let measurements: [Measurement]
    let fillings: [Filling]
    /// Level of the diffuse field on the bins of `spectrumSize`, natural logarithm; what is not the head but loudspeaker and microphone.
    let diffuseField: [Double]
    let spectrumSize: Int

    /// Reads and checks a file. A matter of a second for a thousand directions; any thread.
    package init(contentsOfFile path: String) throws(HeadSetError) { try self.init(try SofaReader.read(contentsOfFile: path)) }

    init(_ file: SofaFile) throws(HeadSetError) {
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

    package var directionCount: Int { measurements.count }
}
