import OssicleAcoustics
import OssicleCore

/// What is measured of a response in one octave band.
///
/// Decays are those behind a filter that runs backwards in time, which rings before the decay and not in it (Jacobsen
/// and Rindel 1987). Energies of a span of time are those of the span cut out first and filtered then (ISO 3382-1,
/// 5.3.4), so that the filter takes no sound across its limits; that filter has no delay.
struct BandMeasurement: Sendable {
    let band: ResponseMetrics.Band
    /// Behind the filter without delay, up to the noise.
    let decay: BandDecay

    /// Limits in seconds after the first sound.
    private static let (direct, speech, early) = (0.005, 0.05, 0.08)
    /// Of a bin of energies.
    private static let binWidth = 0.001
    /// Seconds before the first sound that belong to it.
    private static let lead = 0.002

    init(
        _ channels: [[Double]], start: Int, band: Int, sampleRate: Double, kind: ResponseMetrics.Kind,
        reference: Double?, hasNoise: Bool
    ) {
        let octave = Octave(band, sampleRate: sampleRate)
        let lead = min(start, Int(Self.lead * sampleRate))
        // Of a field the figure of eight across the head is all that is heard besides the middle.
        let cut = channels.prefix(kind == .field ? 2 : channels.count).map { Array($0.dropFirst(start - lead)) }
        func filtered(_ channel: [Double], from: Double? = nil, to: Double? = nil) -> [Double] {
            func frame(_ seconds: Double) -> Int { Int((seconds * sampleRate).rounded()) + lead }
            let frames = (from.map(frame) ?? 0)..<max(to.map(frame) ?? channel.count, from.map(frame) ?? 0)
            return octave.filtered(channel, in: frames.clamped(to: 0..<channel.count))
        }
        // Of a field the first channel alone hears all directions alike.
        let heard = kind == .field ? Array(cut.prefix(1)) : cut
        let whole = heard.map { filtered($0) }
        let bins = EnergyBins(sampleRate: sampleRate, origin: octave.padding + lead, width: Self.binWidth)
        let backwards = bins.energies(heard.map(octave.backwards), foldsEarlier: true)
        let noise = hasNoise ? NoiseFloor(backwards) : .none(backwards)
        let curve = DecayCurve(energies: Array(backwards.prefix(noise.count)), binWidth: Self.binWidth)
        func time(_ upper: Double, _ lower: Double) -> Double? {
            // ISO 3382-1, 5.3.3: the noise is 10 dB below the end of the fit.
            noise.range > 10 - lower ? curve.time(from: upper, to: lower) : nil
        }
        let before = bins.before
        decay = BandDecay(
            energies: Array(bins.energies(whole, foldsEarlier: false).prefix(before + noise.count)),
            binWidth: Self.binWidth, start: -Double(before) * Self.binWidth)
        let total = decay.energy
        func first(_ seconds: Double) -> Double {
            heard.reduce(0) { $0 + Self.energy(filtered($1, to: seconds)) }
        }
        let (early, spoken) = (first(Self.early), first(Self.speech))
        let scale = reference.map { 1 / ($0 * $0 * octave.pulseEnergy) }
        var lateral = Lateral()
        if kind == .field, cut.count > 1, early > 0 {
            lateral = Lateral(
                sides: filtered(cut[1], from: Self.direct, to: Self.early),
                middle: filtered(cut[0], from: Self.direct, to: Self.early), early: early)
            let sides = BandDecay(
                energies: Array(bins.energies([filtered(cut[1])], foldsEarlier: false).prefix(before + noise.count)),
                binWidth: Self.binWidth)
            let late = sides.energy - Self.energy(filtered(cut[1], to: Self.early))
            lateral.late = scale.map { RoomMetrics.strength(max(late, 0) * $0) }
        }
        var ears = Ears()
        if kind == .ears, cut.count == 2 {
            let end = Int(Double(noise.count) * Self.binWidth * sampleRate) + octave.padding + lead
            ears = Ears(
                whole: whole.map { Array($0.prefix(end)) }, early: heard.map { filtered($0, to: Self.early) },
                sampleRate: sampleRate)
        }
        self.band = ResponseMetrics.Band(
            frequency: RirFacts.nominal[band], edt: time(0, -10), t20: time(-5, -25), t30: time(-5, -35),
            c80: Self.clarity(early, of: total), c50: Self.clarity(spoken, of: total),
            d50: total > 0 ? min(spoken / total, 1) : nil, centreTime: total > 0 ? decay.centreTime : nil,
            strength: heard.count == 1 && total > 0 ? scale.map { RoomMetrics.strength(total * $0) } : nil,
            lf: lateral.fraction, lfc: lateral.fractionCosine, lg: lateral.late, iaccEarly: ears.early,
            iaccLate: ears.late, iacc: ears.whole)
    }

    fileprivate static func energy(_ samples: [Double]) -> Double { samples.reduce(0) { $0 + $1 * $1 } }

    /// dB; nil where one of the two is nothing.
    private static func clarity(_ early: Double, of total: Double) -> Double? {
        early > 0 && total - early > 1e-12 * total ? Decibels.of(energy: early / (total - early)) : nil
    }
}

/// Filters of one octave, with room at both ends for what they ring.
private struct Octave {
    private let filter: BandFilter
    private let sections: SectionCascade
    /// Frames put before and behind.
    let padding: Int
    /// Energy of a pulse of amplitude 1.
    let pulseEnergy: Double

    init(_ band: Int, sampleRate: Double) {
        let centre = OctaveBands.centre(band), (low, high) = (centre / 2.0.squareRoot(), centre * 2.0.squareRoot())
        filter = BandFilter(low...high, sampleRate: sampleRate)
        // Two sections of second order on each side.
        let (above, below) = (
            ButterworthSection(.highPass, at: low / sampleRate), ButterworthSection(.lowPass, at: high / sampleRate)
        )
        sections = SectionCascade([above, above, below, below])
        padding = Int(8 / centre * sampleRate) + 1
        var pulse = [Double](repeating: 0, count: 2 * padding + 1)
        pulse[padding] = 1
        pulseEnergy = BandMeasurement.energy(filter.filtered(pulse))
    }

    /// Without delay: some frames of a channel, `padding` before and behind them.
    func filtered(_ channel: [Double], in frames: Range<Int>) -> [Double] {
        filter.filtered(
            [Double](repeating: 0, count: padding + frames.lowerBound) + channel[frames]
                + [Double](repeating: 0, count: padding))
    }

    /// Backwards in time.
    func backwards(_ channel: [Double]) -> [Double] {
        var samples = Array(channel.reversed()) + [Double](repeating: 0, count: padding)
        sections.process(&samples)
        return samples.reversed()
    }
}

/// Sums of squares of samples in bins that begin at the first sound.
private struct EnergyBins {
    let sampleRate: Double
    /// The frame of the first sound.
    let origin: Int
    let width: Double

    /// Bins before the first sound.
    var before: Int { Int((Double(origin) / sampleRate / width).rounded(.up)) }

    /// - Parameter foldsEarlier: whether what comes before the first sound counts in its bin, or in bins of its own.
    func energies(_ channels: [[Double]], foldsEarlier: Bool) -> [Double] {
        let count = channels.map(\.count).max() ?? 0, first = foldsEarlier ? 0 : before
        let last = Int(Double(max(count - 1 - origin, 0)) / sampleRate / width)
        var energies = [Double](repeating: 0, count: first + last + 1)
        for channel in channels {
            var frame = 0
            while frame < channel.count {
                let bin = bin(of: frame), end = end(of: bin, from: frame, count: channel.count)
                let place = max(bin + first, 0)
                for index in frame..<end { energies[place] += channel[index] * channel[index] }
                frame = end
            }
        }
        return energies
    }

    /// From the first sound on, negative before it.
    private func bin(of frame: Int) -> Int { Int((Double(frame - origin) / sampleRate / width).rounded(.down)) }

    /// The first frame behind those of a bin.
    private func end(of bin: Int, from frame: Int, count: Int) -> Int {
        let guess = origin + Int((Double(bin + 1) * width * sampleRate).rounded(.up))
        var end = min(max(guess, frame + 1), count)
        while end > frame + 1, self.bin(of: end - 1) > bin { end -= 1 }
        while end < count, self.bin(of: end) <= bin { end += 1 }
        return end
    }
}

/// Lateral quantities of a sound field.
private struct Lateral {
    var fraction, fractionCosine, late: Double?

    init() {}

    /// - Parameters:
    ///   - sides: the figure of eight from 5 to 80 ms. - middle: the omnidirectional channel. - early: its energy to 80
    ///     ms.
    init(sides: [Double], middle: [Double], early: Double) {
        fraction = BandMeasurement.energy(sides) / early
        fractionCosine = zip(sides, middle).reduce(0) { $0 + ($1.0 * $1.1).magnitude } / early
    }
}

/// Interaural cross-correlation coefficients.
private struct Ears {
    var early, late, whole: Double?

    init() {}

    init(whole: [[Double]], early: [[Double]], sampleRate: Double) {
        let late = zip(whole, early).map { all, first in
            all.indices.map { all[$0] - ($0 < first.count ? first[$0] : 0) }
        }
        func coefficient(_ ears: [[Double]]) -> Double? {
            InterauralCorrelation.coefficient(ears[0], ears[1], sampleRate: sampleRate)
        }
        (self.early, self.late, self.whole) = (coefficient(early), coefficient(late), coefficient(whole))
    }
}
