// The directions of loudspeakers.

import OssicleCore

/// The directions of the loudspeakers of a layout, in channel order, after ITU-R BS.2051 (quad is the common square).
package struct SpeakerLayout: Hashable, Sendable {
    /// One channel. Degrees: azimuth 0 in front, positive to the left; elevation positive up.
    package struct Speaker: Hashable, Sendable {
        package var azimuth: Double
        package var elevation: Double
        /// Carries low-frequency effects: nothing is panned to it.
        package var isLFE: Bool

        package init(azimuth: Double, elevation: Double = 0, isLFE: Bool = false) {
            self.azimuth = azimuth
            self.elevation = elevation
            self.isLFE = isLFE
        }

        package var direction: Vector { HeadDirection.vector(azimuth: azimuth, elevation: elevation) }
    }

    package var speakers: [Speaker]

    package init(_ speakers: [Speaker]) { self.speakers = speakers }

    /// The loudspeakers of `labels`. A channel that is no loudspeaker counts as an LFE, except a single one, which is
    /// in front.
    /// - Parameter tag: the layout tag of these channels; its loudspeakers may have directions of their own (a quad, a
    ///   cube).
    package init(labels: [UInt32], tag: UInt32? = nil) {
        if let speakers = tag.flatMap(Self.speakers(tag:)), speakers.count == labels.count {
            self.init(speakers)
        } else {
            self.init(
                Self.speakers(ofEach: labels.map(ChannelLabel.loudspeaker)).map {
                    $0 ?? Speaker(azimuth: 0, isLFE: labels.count > 1)
                })
        }
    }

    package static let mono = SpeakerLayout(named: "Mono")
    package static let stereo = SpeakerLayout(named: "L R")
    package static let quad = ring([45, -45, 135, -135])
    package static let surround5_1 = SpeakerLayout(named: "L R C LFE Ls Rs")
    package static let surround7_1 = SpeakerLayout(named: "L R C LFE Ls Rs Rls Rrs")
    package static let surround5_1_4 = SpeakerLayout(named: "L R C LFE Ls Rs Vhl Vhr Ltr Rtr")
    package static let surround7_1_4 = SpeakerLayout(named: "L R C LFE Ls Rs Rls Rrs Vhl Vhr Ltr Rtr")

    private init(named names: String) { self.init(labels: ChannelOrder.labels(named: names)) }

    private static func ring(_ azimuths: [Double], elevation: Double = 0) -> SpeakerLayout {
        SpeakerLayout(azimuths.map { Speaker(azimuth: $0, elevation: elevation) })
    }

    /// Layout tags whose loudspeakers form a ring of equal angles, and the cube, whose corners are ±35.26° (the angle
    /// whose tangent is 1/√2) off the horizon.
    private static let regularRings: [UInt32: SpeakerLayout] = [
        108 << 16 | 4: quad,
        109 << 16 | 5: ring([72, -72, 144, -144, 0]),
        110 << 16 | 6: ring([60, -60, 120, -120, 0, 180]),
        111 << 16 | 8: ring([45, -45, 135, -135, 0, 180, 90, -90]),
        112 << 16 | 8: SpeakerLayout(
            [-35.264389682754654, 35.264389682754654].flatMap { ring([45, -45, 135, -135], elevation: $0).speakers }),
    ]
    /// CICP 13: 22.2 channels, whose fronts stand wider.
    private static let twentyTwoPointTwo: UInt32 = 204 << 16 | 24
}

extension SpeakerLayout {
    /// The loudspeakers of a layout tag in stream order, or `nil` when a channel of it is no loudspeaker (Ambisonics,
    /// binaural, discrete, mid/side).
    package static func speakers(tag: UInt32) -> [Speaker]? {
        if let ring = regularRings[tag] { return ring.speakers }
        return ChannelOrder.labels(for: tag).flatMap { allSpeakers($0, isTwentyTwoPointTwo: tag == twentyTwoPointTwo) }
    }

    /// The loudspeakers of `labels`, or `nil` when one of them is no loudspeaker.
    ///
    /// The direction of a surround or height loudspeaker depends on the others (ITU-R BS.2051 systems B to J): `Ls` is
    /// at 110° in a ring of five and at 90° with a rear pair; heights are above the loudspeakers of their ring.
    package static func speakers(labels: [UInt32]) -> [Speaker]? { allSpeakers(labels, isTwentyTwoPointTwo: false) }

    /// The loudspeaker of each of `labels`, `nil` for one that is none.
    package static func speakers(ofEach labels: [UInt32]) -> [Speaker?] {
        let company = SpeakerDirections(labels: Set(labels), isTwentyTwoPointTwo: false)
        return labels.map(company.speaker)
    }

    private static func allSpeakers(_ labels: [UInt32], isTwentyTwoPointTwo: Bool) -> [Speaker]? {
        guard !labels.isEmpty else { return nil }
        let directions = SpeakerDirections(labels: Set(labels), isTwentyTwoPointTwo: isTwentyTwoPointTwo)
        let speakers = labels.compactMap(directions.speaker)
        return speakers.count == labels.count ? speakers : nil
    }
}
