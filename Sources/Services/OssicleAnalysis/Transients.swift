import OssicleCore

/// Where sound begins, and where it breaks.
package enum Transients {
    /// Milliseconds that are compared: what follows, and what was before.
    private static let (following, before) = (10, 50)

    /// Frames at which the energy of the next 10 ms is `rise` dB above that of the 50 ms before and above `floor`; at
    /// most 20 a second.
    ///
    /// An onset is where the first millisecond has a twentieth of the energy of the loudest of the next ten, and in it
    /// the first sample a tenth of its peak.
    /// - Parameters:
    ///   - rise: dB.
    ///   - floor: mean square below which nothing counts.
    package static func onsets(
        _ channels: [[Double]], sampleRate: Double, rise: Double, floor: Double
    ) -> [Int] {
        let count = channels.map(\.count).max() ?? 0, width = sampleRate / 1000
        let bins = Int(Double(count) / width)
        guard bins > 0 else { return [] }
        let edges = (0...bins).map { min(Int((Double($0) * width).rounded()), count) }
        let energies = (0..<bins).map { bin in
            channels.reduce(0.0) { sum, channel in
                sum
                    + channel[min(edges[bin], channel.count)..<min(edges[bin + 1], channel.count)].reduce(0) {
                        $0 + $1 * $1
                    }
            } / width
        }
        let ratio = Decibels.energy(rise)
        var found: [Int] = [], bin = 0
        while bin < bins {
            let next = energies[bin..<min(bin + following, bins)], past = energies[max(bin - before, 0)..<bin]
            let level = next.reduce(0, +) / Double(next.count), old = past.reduce(0, +) / Double(before)
            guard level > floor, level >= ratio * old, let loudest = next.max(),
                let first = next.firstIndex(where: { $0 >= loudest / 20 })
            else {
                bin += 1
                continue
            }
            found.append(firstSample(channels, edges[first]..<edges[first + 1]))
            bin = first + before
        }
        return found
    }

    private static func firstSample(_ channels: [[Double]], _ range: Range<Int>) -> Int {
        func level(_ frame: Int) -> Double { channels.reduce(0) { frame < $1.count ? max($0, abs($1[frame])) : $0 } }
        let peak = range.reduce(0) { max($0, level($1)) }
        return range.first { level($0) >= peak / 10 } ?? range.lowerBound
    }

    /// Frames on either side whose bends a click is held against, and those next to it that belong to it.
    private static let (surroundings, own) = (256, 8)

    /// Frames at which the second difference |x[n] − 2x[n−1] + x[n−2]| is `ratio` times its root mean square in the 5
    /// ms on the louder side, and at least `least`. White noise reaches 5 times; a step of height h in a sine of
    /// amplitude A and frequency f has h against A/√2·(2πf/fs)².
    package static func clicks(_ samples: [Double], ratio: Double, least: Double) -> [Int] {
        guard samples.count > 2 else { return [] }
        let bends = samples.indices.map {
            $0 < 2 ? 0 : abs(samples[$0] - 2 * samples[$0 - 1] + samples[$0 - 2])
        }
        var sums = [0.0]
        for bend in bends { sums.append(sums[sums.count - 1] + bend * bend) }
        func meanSquare(_ from: Int, _ to: Int) -> Double {
            let (start, end) = (max(from, 0), min(to, bends.count))
            return end > start ? (sums[end] - sums[start]) / Double(end - start) : 0
        }
        var found: [Int] = []
        for frame in 2..<bends.count where bends[frame] >= least {
            let around = max(
                meanSquare(frame - surroundings, frame - own), meanSquare(frame + own + 1, frame + surroundings))
            guard bends[frame] * bends[frame] > ratio * ratio * max(around, 0) else { continue }
            if let last = found.last, frame - last <= own { continue }
            found.append(frame)
        }
        return found
    }
}

extension Double {
    /// JSON has no word for infinity and for what is no number.
    package var known: Double? { isFinite ? self : nil }
}
