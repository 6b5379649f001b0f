import OssicleCore

/// What a microphone recorded while a loudspeaker played, with the near talker's part of it known: what an `EchoScore`
/// is measured on. Any thread.
package struct EchoRecording: Sendable {
    package let sampleRate: Double
    /// All of the same length.
    package let microphone, near: [Float]
    /// What the microphone has beyond the near talker: the echo, and where it is not known apart, the noise.
    package let echo: [Float]
    package let parts: Parts

    /// Frames in which one or both are heard.
    package struct Parts: Sendable, Equatable {
        package let farAlone, both, nearAlone: [Range<Int>]
    }

    package init(_ scene: EchoScene) {
        (sampleRate, microphone, near, echo) = (
            scene.settings.sampleRate, scene.microphone, scene.near, scene.echo
        )
        let parts = scene.parts
        self.parts = Parts(farAlone: [parts.farAlone], both: [parts.both], nearAlone: [parts.nearAlone])
    }

    /// Finds the parts itself: a talker speaks from a sound within 40 dB of the loudest until half a second without
    /// one, and the far talker's echo is heard for 0.8 s more.
    /// - Parameters:
    ///   - far: what was sent to the loudspeaker. - near: the near talker as the microphone heard him. Both count as
    ///     silent where they are shorter than `microphone`, and are cut where they are longer.
    package init(sampleRate: Double, far: [Float], microphone: [Float], near: [Float]) {
        (self.sampleRate, self.microphone) = (sampleRate, microphone)
        let near = Self.fitted(near, microphone.count)
        self.near = near
        echo = microphone.indices.map { microphone[$0] - near[$0] }
        let said = Self.spoken(near, sampleRate, echo: 0)
        let played = Self.spoken(Self.fitted(far, microphone.count), sampleRate, echo: 0.8)
        parts = Parts(
            farAlone: Self.ranges(zip(said, played).map { !$0 && $1 }, sampleRate, microphone.count),
            both: Self.ranges(zip(said, played).map { $0 && $1 }, sampleRate, microphone.count),
            nearAlone: Self.ranges(zip(said, played).map { $0 && !$1 }, sampleRate, microphone.count))
    }

    private static func fitted(_ signal: [Float], _ count: Int) -> [Float] {
        Array(signal.prefix(count)) + [Float](repeating: 0, count: max(count - signal.count, 0))
    }

    /// Cells of the activity a second.
    private static let cellsPerSecond = 100.0

    private static func spoken(_ signal: [Float], _ rate: Double, echo: Double) -> [Bool] {
        let cell = max(Int(rate / cellsPerSecond), 1)
        let energies = stride(from: 0, to: signal.count, by: cell).map { start in
            signal[start..<min(start + cell, signal.count)].reduce(0.0) { $0 + Double($1) * Double($1) }
        }
        let threshold = (energies.max() ?? 0) * 1e-4
        let (hold, tail) = (Int(0.5 * cellsPerSecond), Int(echo * cellsPerSecond))
        var spoken = energies.map { $0 > threshold }
        var last: Int?
        for index in energies.indices where energies[index] > threshold {
            if let last, index - last <= hold { for gap in last..<index { spoken[gap] = true } }
            last = index
            for after in index..<min(index + tail + 1, spoken.count) { spoken[after] = true }
        }
        return spoken
    }

    private static func ranges(_ cells: [Bool], _ rate: Double, _ count: Int) -> [Range<Int>] {
        let cell = max(Int(rate / cellsPerSecond), 1)
        var (ranges, since) = ([Range<Int>](), Int?.none)
        for (index, isIn) in (cells + [false]).enumerated() {
            if isIn {
                since = since ?? index
            } else if let start = since {
                ranges.append(start * cell..<min(index * cell, count))
                since = nil
            }
        }
        return ranges
    }
}
