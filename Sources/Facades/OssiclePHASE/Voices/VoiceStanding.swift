import OssicleCore

/// Where a voice stands among those that want to be heard.
struct VoiceStanding {
    /// There is no room for it. It goes on unheard.
    var isUnheard = false
    /// Whether its player knows.
    var wasTold = false
    /// Its level in steps of 3 dB. It changes when the level is more than a step off, so that two voices about as loud do not take turns.
    private(set) var step: Int?

    private static let decibelsPerStep = 3.0
    /// What is below this is not heard, whatever its priority.
    private static let floor = -100.0

    /// - Parameter gain: linear.
    mutating func note(gain: Double) {
        let level = gain > 0 ? min(Decibels.of(amplitude: gain), 100) : -.infinity
        guard level > Self.floor else { return step = nil }
        if let step, abs(level - Double(step) * Self.decibelsPerStep) <= Self.decibelsPerStep { return }
        step = Int((level / Self.decibelsPerStep).rounded())
    }
}
