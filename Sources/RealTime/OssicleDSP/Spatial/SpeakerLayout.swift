import OssicleCore

/// Where the loudspeakers stand, in channel order. Positions follow ITU-R BS.2051 (quad is the common square).
package struct SpeakerLayout: Hashable, Sendable {
    /// One channel. Degrees: azimuth positive to the left, elevation positive up.
    package struct Speaker: Hashable, Sendable {
        package var azimuth: Double
        package var elevation: Double
        /// Carries low-frequency effects: nothing is panned to it.
        package var isLFE: Bool

        package init(azimuth: Double, elevation: Double = 0, isLFE: Bool = false) {
            (self.azimuth, self.elevation, self.isLFE) = (azimuth, elevation, isLFE)
        }

        package var direction: Vector { HeadDirection.vector(azimuth: azimuth, elevation: elevation) }
    }

    package var speakers: [Speaker]

    package init(_ speakers: [Speaker]) { self.speakers = speakers }

    package static let mono = SpeakerLayout([Speaker(azimuth: 0)])
    package static let stereo = SpeakerLayout(pair(30))
    package static let quad = SpeakerLayout(pair(45) + pair(135))
    /// L R C LFE Ls Rs
    package static let surround5_1 = SpeakerLayout(front + pair(110))
    /// L R C LFE Lss Rss Lrs Rrs
    package static let surround7_1 = SpeakerLayout(front + pair(90) + pair(135))
    /// 5.1 and four above: Ltf Rtf Ltr Rtr
    package static let surround5_1_4 = SpeakerLayout(surround5_1.speakers + pair(30, elevation: 30) + pair(110, elevation: 30))
    /// 7.1 and four above: Ltf Rtf Ltr Rtr
    package static let surround7_1_4 = SpeakerLayout(surround7_1.speakers + pair(45, elevation: 30) + pair(135, elevation: 30))

    private static let front = pair(30) + [Speaker(azimuth: 0), Speaker(azimuth: 45, elevation: -30, isLFE: true)]

    private static func pair(_ azimuth: Double, elevation: Double = 0) -> [Speaker] {
        [Speaker(azimuth: azimuth, elevation: elevation), Speaker(azimuth: -azimuth, elevation: elevation)]
    }
}
