import OssicleReports

/// How loud it should be. Levels are in dB re full scale, root mean square: see `Sound.level(in:during:channel:)`.
extension SoundExpectation {
    /// A level of `decibels`, ± `tolerance` dB.
    public static func level(
        _ decibels: Double, within tolerance: Double = 1, in band: ClosedRange<Double>? = nil,
        during window: Range<Double>? = nil, channel: Int? = nil
    ) -> SoundExpectation {
        SoundExpectation(
            "a level of \(dB(decibels)) ± \(number(tolerance))\(place(band, window, channel)) is expected"
        ) { sound in
            let level = sound.level(in: band, during: window, channel: channel)
            return (abs(level - decibels) <= tolerance || level == decibels, dB(level))
        }
    }

    /// A level of `decibels` or less.
    public static func level(
        atMost decibels: Double, in band: ClosedRange<Double>? = nil, during window: Range<Double>? = nil,
        channel: Int? = nil
    ) -> SoundExpectation {
        SoundExpectation("a level of at most \(dB(decibels))\(place(band, window, channel)) is expected") { sound in
            let level = sound.level(in: band, during: window, channel: channel)
            return (level <= decibels, dB(level))
        }
    }

    /// A level of `decibels` or more.
    public static func level(
        atLeast decibels: Double, in band: ClosedRange<Double>? = nil, during window: Range<Double>? = nil,
        channel: Int? = nil
    ) -> SoundExpectation {
        SoundExpectation("a level of at least \(dB(decibels))\(place(band, window, channel)) is expected") { sound in
            let level = sound.level(in: band, during: window, channel: channel)
            return (level >= decibels, dB(level))
        }
    }

    /// No sample above `level`, dB re full scale.
    public static func silence(below level: Double = -80, during window: Range<Double>? = nil) -> SoundExpectation {
        SoundExpectation("silence below \(dB(level))\(place(nil, window, nil)) is expected") { sound in
            let peak = sound.peak(during: window)
            return (peak <= level, "a peak of \(dB(peak))")
        }
    }

    /// A sample above `level`, dB re full scale, and no silence of `longest` seconds or more.
    public static func sound(
        above level: Double = -60, withoutSilenceOf longest: Double = .infinity, during window: Range<Double>? = nil
    ) -> SoundExpectation {
        SoundExpectation("sound above \(dB(level))\(place(nil, window, nil)) is expected") { sound in
            let part = window.map { sound[$0] } ?? sound, peak = part.peak()
            let gap = longest.isFinite ? part.silences(below: level, ofAtLeast: longest).first : nil
            let start = max(window?.lowerBound ?? 0, 0)
            return (
                peak > level && gap == nil,
                gap.map { "silence from \(number(start + $0.lowerBound, 3)) to \(number(start + $0.upperBound, 3)) s" }
                    ?? "a peak of \(dB(peak))"
            )
        }
    }

    /// Integrated loudness (ITU-R BS.1770-4) of `loudness` LUFS, ± `tolerance` LU.
    public static func loudness(
        _ loudness: Double, within tolerance: Double = 0.5, during window: Range<Double>? = nil
    ) -> SoundExpectation {
        SoundExpectation(
            "\(number(loudness)) ± \(number(tolerance)) LUFS\(place(nil, window, nil)) are expected"
        ) { sound in
            guard let found = sound.loudness(during: window) else { return (false, "no loudness is defined for it") }
            return (abs(found.integrated - loudness) <= tolerance, "\(number(found.integrated)) LUFS")
        }
    }

    /// A true peak of `decibels` dBTP or less: no clipping behind a converter.
    public static func truePeak(atMost decibels: Double = -1) -> SoundExpectation {
        SoundExpectation("a true peak of at most \(number(decibels)) dBTP is expected") { sound in
            guard let found = sound.loudness() else { return (false, "no true peak is defined for it") }
            return (found.truePeak <= decibels, "\(number(found.truePeak)) dBTP")
        }
    }

    /// No NaN and no infinity.
    public static var finite: SoundExpectation {
        SoundExpectation("finite samples are expected") { sound in
            let count = sound.nonFiniteSampleCount
            return (count == 0, count == 0 ? "all are" : "\(count) are NaN or infinite")
        }
    }
}

extension SoundExpectation {
    static func number(_ value: Double, _ decimals: Int = 1) -> String { Text.number(value, decimals: decimals) }
    static func dB(_ value: Double) -> String { "\(number(value)) dB" }

    /// " from 500 to 2000 Hz between 0 and 1 s in channel 2".
    static func place(_ band: ClosedRange<Double>?, _ window: Range<Double>?, _ channel: Int?) -> String {
        let hertz = band.map { " from \(Text.length($0.lowerBound)) to \(Text.length($0.upperBound)) Hz" } ?? ""
        let seconds = window.map { " between \(Text.length($0.lowerBound)) and \(Text.length($0.upperBound)) s" } ?? ""
        return hertz + seconds + (channel.map { " in channel \($0 + 1)" } ?? "")
    }
}
