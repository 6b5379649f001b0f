import Foundation
import OssicleCore

/// What `ossicle analyze` prints; `Documentation/CommandLine.md` explains the keys.
struct AnalysisReport {
    let analysis: SoundAnalysis

    /// Lines of directions at most; stretches between them are left out.
    private static let mostDirections = 24

    var text: String {
        let parts = [[analysis.facts.path], levels, loudness, spectrum, decay, directions].filter { !$0.isEmpty }
        return parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    private func cell(_ value: Double?, _ decimals: Int = 1, width: Int = 9) -> String {
        Text.right(value.map { Text.number($0, decimals: decimals) } ?? "–", width: width)
    }

    private var levels: [String] {
        ["  channel       peak  true peak     rms    crest   offset"]
            + analysis.channels.map {
                "  " + Text.left($0.name, width: 8) + cell($0.peak, width: 10) + cell($0.truePeak, width: 11)
                    + cell($0.rms, width: 8) + cell($0.crest) + cell($0.offset, 4)
            } + ["  in dBFS, crest in dB"]
    }

    private var loudness: [String] {
        guard let loudness = analysis.loudness else { return [] }
        func number(_ value: Double?) -> String { Text.number(value ?? -.infinity, decimals: 1) }
        return [
            "  loudness  \(number(loudness.integrated)) LUFS integrated, range \(loudness.range.map { Text.number($0, decimals: 1) } ?? "–") LU, at most \(number(loudness.maximumMomentary)) momentary, \(number(loudness.maximumShortTerm)) short-term (ITU-R BS.1770, EBU R 128)"
        ]
    }

    /// Five bands a line.
    private var spectrum: [String] {
        let cells = analysis.spectrum.map { band in
            let name =
                band.frequency >= 1000
                ? "\(Text.length(band.frequency / 1000)) kHz" : "\(Text.length(band.frequency)) Hz"
            return Text.right(name, width: 9) + cell(band.level, width: 7)
        }
        return ["  third octaves, dB re full scale"]
            + stride(from: 0, to: cells.count, by: 5).map {
                "  " + cells[$0..<min($0 + 5, cells.count)].joined(separator: "  ")
            }
    }

    private var decay: [String] {
        guard let decay = analysis.decay else { return [] }
        let index = decay.speechTransmission.map {
            ["  speech transmission index \(Text.number($0, decimals: 2)) (IEC 60268-16:2020)"]
        }
        return ["  impulse response (ISO 3382-1)"]
            + MeasuredTable(bands: decay.bands).lines(indent: "  ", nameWidth: 9, cellWidth: 8) + (index ?? [])
    }

    private var directions: [String] {
        guard let receiver = analysis.receiver, !analysis.directions.isEmpty else { return [] }
        let step = (analysis.directions.count + Self.mostDirections - 1) / Self.mostDirections
        return ["  direction \(receiver.words)", "       time    azimuth  elevation  diffuse    level"]
            + stride(from: 0, to: analysis.directions.count, by: step).map { index in
                let point = analysis.directions[index]
                return "  " + cell(point.time, 2) + cell(point.azimuth, 0, width: 11)
                    + cell(point.elevation, 0, width: 11)
                    + cell(point.diffuseness, 2) + cell(point.level)
            } + ["  s, degrees to the left and up, 0 (from there) to 1 (from everywhere), dBFS"]
    }

    var json: String {
        get throws { try JSONText.document(self) }
    }
}

extension AnalysisReport: Encodable {
    private enum CodingKeys: CodingKey {
        case file, seconds, sampleRate, channels, loudness, thirdOctaves, directionBy, directions, decay,
            speechTransmission
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(analysis.facts.path, forKey: .file)
        try container.encode(analysis.facts.seconds, forKey: .seconds)
        try container.encode(analysis.facts.info.sampleRate, forKey: .sampleRate)
        try container.encode(analysis.channels, forKey: .channels)
        try container.encodeIfPresent(analysis.loudness, forKey: .loudness)
        try container.encode(analysis.spectrum, forKey: .thirdOctaves)
        if let receiver = analysis.receiver {
            try container.encode(receiver.key, forKey: .directionBy)
            try container.encode(analysis.directions, forKey: .directions)
        }
        try container.encodeIfPresent(analysis.decay?.bands, forKey: .decay)
        try container.encodeIfPresent(analysis.decay?.speechTransmission, forKey: .speechTransmission)
    }
}

extension DirectionMethod {
    fileprivate var key: String {
        switch self {
        case .binaural: "binaural"
        case .stereo: "stereo"
        case .ambisonic: "ambisonic"
        case .loudspeakers: "surround"
        }
    }
}
