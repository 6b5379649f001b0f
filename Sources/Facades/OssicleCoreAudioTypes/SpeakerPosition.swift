// Where the loudspeaker of a channel stands.

/// Direction of a loudspeaker from the listener, in degrees: azimuth 0 in front and positive to the left, elevation positive
/// above the horizon (ITU-R BS.2051). An LFE loudspeaker has a place but nothing is panned to it.
package struct SpeakerPosition: Equatable, Sendable {
    package var azimuth: Double
    package var elevation: Double
    package var isLFE: Bool

    package init(azimuth: Double, elevation: Double = 0, isLFE: Bool = false) {
        self.azimuth = azimuth
        self.elevation = elevation
        self.isLFE = isLFE
    }
}

/// The loudspeakers of a layout tag in stream order, or `nil` when a channel of it is no loudspeaker (Ambisonics, binaural,
/// discrete, mid/side ...). Regular rings have their own angles; everything else follows `speakerPositions(for labels:)`.
package func speakerPositions(for tag: AudioChannelLayoutTag) -> [SpeakerPosition]? {
    if let ring = regularRings[tag] { return ring }
    guard let labels = ChannelOrder.labels(for: tag) else { return nil }
    if tag == kAudioChannelLayoutTag_CICP_13 { return speakerPositions(for: labels, isTwentyTwoPointTwo: true) }
    return speakerPositions(for: labels)
}

/// The loudspeakers of `labels`, or `nil` when one of them is no loudspeaker.
///
/// The place of a surround or height loudspeaker depends on its company (ITU-R BS.2051 systems B to J): `Ls` stands at 110°
/// in a 5-channel ring and at 90° where a rear pair stands behind it; heights stand above the loudspeakers of their ring.
package func speakerPositions(for labels: [AudioChannelLabel]) -> [SpeakerPosition]? {
    speakerPositions(for: labels, isTwentyTwoPointTwo: false)
}

/// The loudspeaker of each of `labels`, `nil` for one that is none.
package func speakerPositions(ofEach labels: [AudioChannelLabel]) -> [SpeakerPosition?] {
    labels.map(SpeakerCompany(labels: Set(labels), isTwentyTwoPointTwo: false).position)
}

private func speakerPositions(for labels: [AudioChannelLabel], isTwentyTwoPointTwo: Bool) -> [SpeakerPosition]? {
    guard !labels.isEmpty else { return nil }
    let company = SpeakerCompany(labels: Set(labels), isTwentyTwoPointTwo: isTwentyTwoPointTwo)
    let positions = labels.compactMap(company.position)
    return positions.count == labels.count ? positions : nil
}

/// Rings of equal angles, and the cube, whose corners lie ±35.26° (the angle whose tangent is 1/√2) off the horizon.
private let regularRings: [AudioChannelLayoutTag: [SpeakerPosition]] = [
    kAudioChannelLayoutTag_Quadraphonic: [45, -45, 135, -135].map { SpeakerPosition(azimuth: $0) },
    kAudioChannelLayoutTag_Pentagonal: [72, -72, 144, -144, 0].map { SpeakerPosition(azimuth: $0) },
    kAudioChannelLayoutTag_Hexagonal: [60, -60, 120, -120, 0, 180].map { SpeakerPosition(azimuth: $0) },
    kAudioChannelLayoutTag_Octagonal: [45, -45, 135, -135, 0, 180, 90, -90].map { SpeakerPosition(azimuth: $0) },
    kAudioChannelLayoutTag_Cube: [-35.264389682754654, 35.264389682754654].flatMap { elevation in
        [45, -45, 135, -135].map { SpeakerPosition(azimuth: $0, elevation: elevation) }
    },
]
