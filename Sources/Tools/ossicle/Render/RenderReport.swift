import Foundation
import OssicleCore
import OssicleRendering

/// What `ossicle render` prints.
struct RenderReport: Encodable {
    let scene, sound, layout, sha256: String
    let timeline, picture, listener: String?
    let seed: UInt64
    let seconds: Double
    let frames, sampleRate, channels: Int
    /// dB relative to full scale; nil for silence.
    let peak: Double?
    /// Frames in which the limiter was at work.
    let limitedFrames: Int64
    let timesRealTime: Double
    /// nil where none are written.
    var stems: [Stem]?
    /// What the mix has beyond the sum of its stems, dB relative to full scale; nil for nothing.
    var stemResidual: Double?

    struct Stem: Encodable {
        let name, sound, sha256: String
    }

    init(_ rendering: SceneRendering, _ command: RenderCommand, hash: String, elapsed: Duration) {
        (scene, sound, sha256) = (command.scene, command.output, hash)
        (timeline, picture, listener) = (command.timeline, command.picture, rendering.listenerName)
        (layout, seed) = (rendering.layout.rawValue, rendering.seed)
        frames = rendering.channels[0].count
        (sampleRate, channels) = (command.rate, rendering.channels.count)
        seconds = Double(frames) / Double(command.rate)
        peak = rendering.channels.peakLevel
        limitedFrames = rendering.limitedFrames
        timesRealTime = seconds / max(elapsed / .seconds(1), 1e-9)
    }

    var text: String {
        let limited = limitedFrames == 0 ? "" : ", limited in \(limitedFrames) frames: lower the gains"
        let lines = [
            (
                "duration",
                "\(Text.number(seconds, decimals: 3)) s, \(frames) frames at \(sampleRate) Hz, \(layout), 32-bit floating point"
            ),
            ("speed", "\(Text.number(timesRealTime, decimals: 1)) × real time"),
            ("peak", "\(Text.number(peak ?? -.infinity, decimals: 1)) dBFS\(limited)"), ("seed", "\(seed)"),
            ("sound", sound),
        ]
        let others = [("listener", listener), ("picture", picture)].compactMap { name, value in value.map { (name, $0) }
        }
        let parts = (stems ?? []).map { ("stem", "\($0.sound)  \($0.sha256)") }
        let residual =
            parts.isEmpty
            ? []
            : [("residual", "\(Text.number(stemResidual ?? -.infinity, decimals: 1)) dBFS: the mix without its stems")]
        return (lines + others + [("sha-256", sha256)] + parts + residual).map {
            Text.left($0.0, width: 10) + " " + $0.1
        }
        .joined(separator: "\n")
    }

    var json: String {
        get throws { try JSONText.document(self) }
    }
}

extension [[Float]] {
    /// Of the greatest sample, dB relative to full scale; nil for silence.
    var peakLevel: Double? {
        let greatest = map { $0.reduce(0) { Swift.max($0, abs($1)) } }.max() ?? 0
        return greatest > 0 ? Decibels.of(amplitude: Double(greatest)) : nil
    }
}
