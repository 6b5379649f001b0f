import OssicleCore

/// Where a decay that was measured meets the noise behind it (Lundeby, Vigran, Bietz and Vorländer, *Acustica* 81,
/// 1995): integrating goes no further (ISO 3382-1, 5.3.3).
struct NoiseFloor {
    /// Bins before the crossing; all where there is no noise.
    let count: Int
    /// dB from the noise to the loudest mean over 30 ms.
    let range: Double

    /// dB above the noise from which on the decay is fitted.
    private static let margin = 10.0
    /// Bins of one mean over which the range is looked for.
    private static let span = 30

    /// Of a computed response, which ends without noise.
    static func none(_ energies: [Double]) -> NoiseFloor { NoiseFloor(count: energies.count, range: 200) }

    private init(count: Int, range: Double) { (self.count, self.range) = (count, range) }

    /// - Parameter energies: of each millisecond from the first sound on, in one band.
    init(_ energies: [Double]) {
        let loudest = Self.means(energies, 30).max() ?? 0
        var noise = Self.mean(energies.suffix(max(energies.count / 10, 1)))
        var (count, window) = (energies.count, Self.span)
        guard noise > 0, loudest > 0 else {
            (self.count, range) = (energies.count, loudest > 0 ? 200 : 0)
            return
        }
        for _ in 0..<6 {
            guard let line = Self.line(energies, window, above: noise) else { break }
            let crossing = min(max(Int(line.reach(noise)), 1), energies.count)
            // The noise behind the crossing begins where the decay is another margin below it, and is the last tenth at
            // least.
            let start = min(crossing + Int(Self.margin / -line.slope), energies.count * 9 / 10)
            let next = Self.mean(energies[max(start, 0)...])
            let isSettled = crossing == count
            (noise, count) = (next > 0 ? next : noise, crossing)
            // Five means to every 10 dB, of 10 to 50 ms.
            window = min(max(Int(2 / -line.slope), 10), 50)
            if isSettled { break }
        }
        (self.count, range) = (count, Decibels.of(energy: loudest / noise))
    }

    /// dB over bins.
    private struct Line {
        let slope, level: Double
        /// The bin at which it comes to an energy.
        func reach(_ energy: Double) -> Double { (Decibels.of(energy: energy) - level) / slope }
    }

    private static func mean(_ energies: some Collection<Double>) -> Double {
        energies.isEmpty ? 0 : energies.reduce(0, +) / Double(energies.count)
    }

    /// Of stretches of so many bins, one behind the other.
    private static func means(_ energies: [Double], _ window: Int) -> [Double] {
        stride(from: 0, to: energies.count, by: window).map { mean(energies[$0..<min($0 + window, energies.count)]) }
    }

    /// The line that fits best from the loudest mean to the last one before the noise; nil where nothing falls.
    private static func line(_ energies: [Double], _ window: Int, above noise: Double) -> Line? {
        let means = means(energies, window)
        guard let top = means.indices.max(by: { means[$0] < means[$1] }) else { return nil }
        let limit = noise * Decibels.energy(margin)
        let points = means[top...].prefix { $0 > limit }.enumerated().map { index, mean in
            (x: (Double(top + index) + 0.5) * Double(window), y: Decibels.of(energy: mean))
        }
        guard points.count > 1 else { return nil }
        let n = Double(points.count)
        let (mx, my) = (points.reduce(0) { $0 + $1.x } / n, points.reduce(0) { $0 + $1.y } / n)
        let sxx = points.reduce(0) { $0 + ($1.x - mx) * ($1.x - mx) }
        let slope = points.reduce(0) { $0 + ($1.x - mx) * ($1.y - my) } / sxx
        return slope < 0 ? Line(slope: slope, level: my - slope * mx) : nil
    }
}
