import OssicleCore

/// The room-acoustic quantities of ISO 3382-1 for one source and one listener (an addition of Ossicle).
///
/// Each list has ten values, for the octave bands 31.5 Hz … 16 kHz. Always numbers: where a band has no decay to measure, times are 0 and levels
/// −120 dB.
public struct PHASERoomMetrics: Sendable, Hashable {
    /// Seconds in which sound decays by 60 dB, from −5 to −25 dB of the decay.
    public let t20: [Double]
    /// The same, from −5 to −35 dB.
    public let t30: [Double]
    /// The same, from 0 to −10 dB: early decay time.
    public let edt: [Double]
    /// dB, energy of the first 50 ms to that of the rest: clarity of speech.
    public let c50: [Double]
    /// dB, energy of the first 80 ms to that of the rest: clarity of music.
    public let c80: [Double]
    /// Share of the energy in the first 50 ms, 0…1.
    public let d50: [Double]
    /// Seconds, mean time of arrival after the first sound.
    public let centreTime: [Double]
    /// dB, energy re that of the direct sound at 10 m.
    public let strength: [Double]
    /// Speech transmission index in quiet, 0…1.
    public let sti: Double
    /// Share of the rays that left for good, 0…1: 1 in the open, where the rest means little.
    public let escapedShare: Double

    package init(t20: OctaveBands, t30: OctaveBands, edt: OctaveBands, c50: OctaveBands, c80: OctaveBands, d50: OctaveBands, centreTime: OctaveBands,
                 strength: OctaveBands, sti: Double, escapedShare: Double) {
        func list(_ bands: OctaveBands) -> [Double] { bands.values.map(Double.init) }
        (self.t20, self.t30, self.edt, self.c50, self.c80) = (list(t20), list(t30), list(edt), list(c50), list(c80))
        (self.d50, self.centreTime, self.strength) = (list(d50), list(centreTime), list(strength))
        (self.sti, self.escapedShare) = (sti, escapedShare)
    }
}

extension PHASERoomMetrics: CustomStringConvertible {
    /// A table, with a column for each band and a dash where there is nothing to measure.
    public var description: String {
        let rows: [(name: String, values: [String])] = [
            ("", ["31.5", "63", "125", "250", "500", "1k", "2k", "4k", "8k", "16k"]),
            ("T20 s", times(t20)), ("T30 s", times(t30)), ("EDT s", times(edt)), ("C50 dB", levels(c50)), ("C80 dB", levels(c80)),
            ("D50", d50.map { $0.words(2) }), ("centre ms", centreTime.map { $0 > 0 ? (1000 * $0).words(0) : "–" }), ("G dB", levels(strength)),
        ]
        let lines = rows.map { row in row.name.padded(9) + row.values.map { $0.aligned(7) }.joined() }
        return (lines + ["STI \(sti.words(2)), \((100 * escapedShare).words(0)) % of the rays escape"]).joined(separator: "\n")
    }

    private func times(_ values: [Double]) -> [String] { values.map { $0 > 0 ? $0.words(2) : "–" } }
    private func levels(_ values: [Double]) -> [String] { values.map { $0 > -120 ? $0.words(1) : "–" } }
}
