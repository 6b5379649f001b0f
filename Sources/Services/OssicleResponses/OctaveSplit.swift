import OssicleCore

/// How frequencies belong to octaves: wholly at a band's centre, by cos² of the distance in octaves to the next centre, so that shares add up to 1.
/// Below the lowest and above the highest centre all belongs to that band.
enum OctaveSplit {
    /// Share of each band at a frequency in Hz.
    static func shares(at frequency: Double) -> OctaveBands {
        var shares = OctaveBands.zeros
        let last = OctaveBands.count - 1
        // Octaves above the lowest centre.
        let place = frequency > 0 ? DeterministicMath.log2(frequency / OctaveBands.centre(0)) : 0
        guard place > 0 else { shares[0] = 1; return shares }
        guard place < Double(last) else { shares[last] = 1; return shares }
        let lower = Int(place)
        let cosine = DeterministicMath.cos((place - Double(lower)) * (DeterministicMath.pi / 2))
        shares[lower] = Float(cosine * cosine)
        shares[min(lower + 1, last)] = Float(1 - cosine * cosine)
        return shares
    }

    /// Shares on the bins 0…size/2 of a transform.
    static func shares(size: Int, sampleRate: Double) -> [OctaveBands] {
        (0...size / 2).map { shares(at: Double($0) * sampleRate / Double(size)) }
    }

    /// Length of a transform, at 48 kHz `atUsualRate`, that resolves the same frequencies at another rate. A power of two.
    static func size(atUsualRate size: Int, sampleRate: Double) -> Int {
        var result = size
        while Double(result) < Double(size) * sampleRate / 48_000, result < 65_536 { result *= 2 }
        return result
    }
}
