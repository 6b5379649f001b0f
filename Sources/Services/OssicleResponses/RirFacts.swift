import OssicleAcoustics
import OssicleCore

/// What is known about a response, for programs to read: the room-acoustic metrics by octave band (ISO 3382-1).
package struct RirFacts: Encodable, Sendable {
    package struct Band: Encodable, Sendable {
        /// Hz; the decay times and the centre time in seconds, the clarities and the strength in dB, d50 from 0 to 1.
        package let frequency: Double
        package let t20, t30, edt, c80, c50, d50, centreTime, strength: Float
        /// Lateral energy fractions by cos² and |cos|, and dB of the late lateral level.
        package let lf, lfc, lg: Float
        /// Standard errors, where they were asked for.
        package let standardErrors: Errors?
    }

    /// What the response itself says, where it was measured: interference and all, where `bands` are of energies.
    package struct Measured: Encodable, Sendable {
        package let bands: [ResponseMetrics.Band]
        package let speechTransmission: Double?
    }

    /// By how much other rays would change what a band says, in the same units.
    package struct Errors: Encodable, Sendable {
        package let t20, t30, edt, c80, c50, d50, centreTime, strength, lf, lfc, lg: Float

        fileprivate init(_ errors: RoomMetrics, _ band: Int) {
            (t20, t30, edt) = (errors.t20[band], errors.t30[band], errors.edt[band])
            (c80, c50, d50) = (errors.c80[band], errors.c50[band], errors.d50[band])
            (centreTime, strength) = (errors.centreTime[band], errors.strength[band])
            (lf, lfc) = (errors.lateralFraction[band], errors.lateralFractionCosine[band])
            lg = errors.lateLateralStrength[band]
        }
    }

    /// The bands' nominal centres in Hz, as IEC 61260 calls them.
    package static let nominal = [31.5, 63, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000]

    /// Metres; x, y up, z.
    package let source, listener: [Double]
    package let visibleShare: Double
    package let diffractions, reflections: Int
    package let speechTransmission: Double
    package let speechTransmissionError: Double?
    package let bands: [Band]
    package let response: Measured?

    package init(_ result: RirResult) {
        let (metrics, acoustics) = (result.metrics, result.acoustics.first)
        func list(_ v: Vector) -> [Double] { [v.x, v.y, v.z] }
        (source, listener) = (list(result.pair.source), list(result.pair.listener.position))
        visibleShare = acoustics?.direct.visibleShare ?? 0
        (diffractions, reflections) = (acoustics?.diffractions.count ?? 0, acoustics?.reflections.count ?? 0)
        speechTransmission = metrics.speechTransmission
        speechTransmissionError = result.errors?.speechTransmission
        response = result.measured.map { Measured(bands: $0.bands, speechTransmission: $0.speechTransmission) }
        bands = RirFacts.bands(metrics, errors: result.errors)
    }

    package static func bands(_ metrics: RoomMetrics, errors: RoomMetrics? = nil) -> [Band] {
        (0..<OctaveBands.count).map { band in
            Band(
                frequency: nominal[band], t20: metrics.t20[band], t30: metrics.t30[band],
                edt: metrics.edt[band], c80: metrics.c80[band],
                c50: metrics.c50[band], d50: metrics.d50[band], centreTime: metrics.centreTime[band],
                strength: metrics.strength[band], lf: metrics.lateralFraction[band],
                lfc: metrics.lateralFractionCosine[band], lg: metrics.lateLateralStrength[band],
                standardErrors: errors.map { Errors($0, band) })
        }
    }
}
