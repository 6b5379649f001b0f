import Synchronization

/// What the program asks of the devices it opens without naming one. Read when a device is opened; one that is open
/// stays as it is. A value that cannot be had is passed over: the device's own is taken.
package struct DevicePreferences: Sendable, Hashable {
    /// Seconds of a block, which becomes 16…8192 frames; nil for 512 frames.
    package var bufferDuration: Double?
    /// Hz; nil for the device's own.
    package var sampleRate: Double?
    /// A `DeviceInfo.id`; nil for the default output.
    package var outputDevice: String?
    /// A `DeviceInfo.id`; nil for the default input.
    package var inputDevice: String?
    /// Channels of an output, as servers mix into those of the device; nil for the device's own.
    package var outputChannels: Int?
    /// The same of an input.
    package var inputChannels: Int?
    /// Whether what is captured beside an output has the output's echo taken out.
    package var processesVoice = false

    package init() {}

    /// Of this process. From any thread.
    package static var current: DevicePreferences {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    private static let shared = Mutex(none())
    /// Called, not folded: Swift 6.3 lays a constant mutex of these optionals out as zeros, which read as values of 0.
    @inline(never) private static func none() -> DevicePreferences { DevicePreferences() }
    /// Frames of a block where no other number is preferred: 10.7 ms at 48 kHz.
    package static let standardQuantum = 512

    /// Frames of a block at a rate in Hz.
    package func quantum(at sampleRate: Double) -> Int {
        guard let bufferDuration, bufferDuration > 0 else { return DevicePreferences.standardQuantum }
        let frames = (min(bufferDuration, 10) * sampleRate).rounded()
        return frames.isFinite ? min(max(Int(frames), 16), 8192) : DevicePreferences.standardQuantum
    }

    /// The rate, if devices can have it.
    var possibleRate: Double? { sampleRate.flatMap { DeviceFormat.rates.contains($0) ? $0 : nil } }
}

/// A device to open, and in what format.
struct DeviceAttempt: Sendable, Hashable {
    /// As in `DeviceChoice`; nil for the default.
    var words: String?
    var wishes: FormatWishes
}

/// What is tried, one after the other, where a caller names no device.
extension DevicePreferences {
    /// The preferred device, at the rate and with the channels that are preferred where the caller wishes none.
    func firstAttempt(_ direction: DeviceInfo.Direction, _ wishes: FormatWishes) -> DeviceAttempt {
        let isOutput = direction == .output
        var preferred = wishes
        preferred.sampleRate = wishes.sampleRate ?? possibleRate
        preferred.channelCount = wishes.channelCount ?? (isOutput ? outputChannels : inputChannels)
        return DeviceAttempt(words: isOutput ? outputDevice : inputDevice, wishes: preferred)
    }

    /// The default for a device that is not there; its own format for a device that cannot have what is preferred; nil
    /// where the failure stands.
    func attempt(
        after failed: DeviceAttempt, _ error: DeviceError, _ wishes: FormatWishes
    ) -> DeviceAttempt? {
        switch error {
        case .noDevice where failed.words != nil: DeviceAttempt(words: nil, wishes: failed.wishes)
        case .wrongRate, .rejected:
            failed.wishes == wishes ? nil : DeviceAttempt(words: failed.words, wishes: wishes)
        default: nil
        }
    }
}
