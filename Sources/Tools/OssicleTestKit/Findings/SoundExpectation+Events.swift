import OssicleReports

/// When it should sound, and how cleanly.
extension SoundExpectation {
    /// An onset at `time` ± `tolerance` seconds; see `Sound.onsets(rise:floor:during:)`.
    public static func onset(at time: Double, within tolerance: Double = 0.01) -> SoundExpectation {
        SoundExpectation("an onset at \(number(time, 3)) ± \(number(tolerance, 3)) s is expected") { sound in
            let all = sound.onsets(), nearest = all.min { abs($0 - time) < abs($1 - time) }
            return (
                nearest.map { abs($0 - time) <= tolerance } ?? false,
                nearest.map { "the nearest of \(all.count) is at \(number($0, 3)) s" } ?? "there is none"
            )
        }
    }

    /// So many onsets.
    public static func onsets(_ count: Int, during window: Range<Double>? = nil) -> SoundExpectation {
        SoundExpectation("\(count) onsets\(place(nil, window, nil)) are expected") { sound in
            let all = sound.onsets(during: window)
            let times = all.isEmpty ? "" : ", at " + all.map { number($0, 3) }.joined(separator: ", ") + " s"
            return (all.count == count, "\(all.count)\(times)")
        }
    }

    /// No sample where the sound breaks; see `Sound.clicks(ratio:least:during:)`.
    public static func noClicks(during window: Range<Double>? = nil) -> SoundExpectation {
        SoundExpectation("no clicks\(place(nil, window, nil)) are expected") { sound in
            let all = sound.clicks(during: window)
            guard let first = all.first else { return (true, "none") }
            return (false, "\(all.count), the first at \(number(first, 4)) s")
        }
    }

    /// A pitch of `frequency` Hz, ± `tolerance` cents.
    public static func pitch(
        _ frequency: Double, within tolerance: Double = 10, during window: Range<Double>? = nil
    ) -> SoundExpectation {
        SoundExpectation(
            "\(number(frequency, 2)) Hz ± \(number(tolerance)) cents\(place(nil, window, nil)) are expected"
        ) { sound in
            guard frequency > 0, let pitch = sound.pitch(during: window) else { return (false, "no pitch") }
            let cents = pitch.cents(above: frequency)
            return (
                abs(cents) <= tolerance,
                "\(number(pitch.frequency, 2)) Hz, \(number(abs(cents))) cents \(cents < 0 ? "below" : "above")"
            )
        }
    }

    /// T60 of an impulse response of `seconds`, within a share of it; see `Sound.decays()`.
    /// - Parameters:
    ///   - seconds: T60 as it should be.
    ///   - frequency: in the octave band that is meant, Hz.
    ///   - share: of the seconds, by which it may differ.
    public static func reverberationTime(
        _ seconds: Double, at frequency: Double, within share: Double = 0.1
    ) -> SoundExpectation {
        SoundExpectation(
            "\(number(seconds, 2)) s ± \(number(share * 100)) % of reverberation at \(Text.length(frequency)) Hz are expected"
        ) { sound in
            guard let found = sound.reverberationTime(at: frequency) else { return (false, "no decay above the noise") }
            return (abs(found - seconds) <= share * seconds, "\(number(found, 2)) s")
        }
    }
}

/// Where it should come from.
extension SoundExpectation {
    /// A direction, ± `tolerance` degrees of arc; see `Sound.direction(as:during:)`.
    /// - Parameters:
    ///   - azimuth: degrees to the left of the front.
    ///   - elevation: degrees up; nil where it does not matter, and for ears and two loudspeakers, which have none.
    ///   - tolerance: degrees of arc.
    ///   - receiver: what the channels are; nil for what their labels and number say.
    ///   - window: seconds.
    public static func direction(
        azimuth: Double, elevation: Double? = nil, within tolerance: Double = 5, as receiver: Sound.Receiver? = nil,
        during window: Range<Double>? = nil
    ) -> SoundExpectation {
        let up = elevation.map { ", \(number($0, 0))° up" } ?? ""
        return SoundExpectation(
            "\(side(azimuth))\(up), ± \(number(tolerance, 0))°\(place(nil, window, nil)), is expected"
        ) { sound in
            guard let found = sound.direction(as: receiver, during: window) else { return (false, "no direction") }
            let isUp = elevation.map { abs(($0) - (found.elevation ?? .nan)) <= tolerance } ?? true
            let height = found.elevation.map { ", \(number($0, 0))° up" } ?? ""
            return (
                abs(turn(found.azimuth - azimuth)) <= tolerance && isUp,
                side(found.azimuth) + height + ", diffuseness \(number(found.diffuseness, 2))"
            )
        }
    }

    /// The channel of `number` (from 0 on) with the most energy.
    public static func loudestChannel(_ channel: Int, during window: Range<Double>? = nil) -> SoundExpectation {
        SoundExpectation("channel \(channel + 1) as the loudest\(place(nil, window, nil)) is expected") { sound in
            guard let found = sound.loudestChannel(during: window) else { return (false, "silence") }
            return (found == channel, "channel \(found + 1), \(sound.name(ofChannel: found))")
        }
    }

    /// The channels in the order of another sound's: none swapped, lost or doubled. See `Sound.channelOrder(against:)`.
    public static func channelOrder(of reference: Sound) -> SoundExpectation {
        SoundExpectation("the channels' order of the reference is expected") { sound in
            let order = sound.channelOrder(against: reference)
            let wrong = order.indices.filter { order[$0] != $0 }
            guard sound.channels.count == reference.channels.count else {
                return (false, "\(sound.channels.count) channels in place of \(reference.channels.count)")
            }
            let words = wrong.map { index in
                "\(sound.name(ofChannel: index)) has "
                    + (order[index].map { "what belongs to \(reference.name(ofChannel: $0))" }
                        ?? "nothing of the reference")
            }
            return (wrong.isEmpty, wrong.isEmpty ? "the same" : words.joined(separator: ", "))
        }
    }

    /// "30° to the left".
    static func side(_ azimuth: Double) -> String {
        abs(azimuth) < 0.5 ? "straight ahead" : "\(number(abs(azimuth), 0))° to the \(azimuth > 0 ? "left" : "right")"
    }

    /// An angle in degrees, from −180 to 180.
    static func turn(_ angle: Double) -> Double { angle - 360 * (angle / 360).rounded() }
}
