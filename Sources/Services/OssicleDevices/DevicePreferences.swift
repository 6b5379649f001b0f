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

    package init() {}

    /// Of this process. From any thread.
    package static var current: DevicePreferences {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }

    private static let shared = Mutex(DevicePreferences())
    /// Frames of a block where no other number is preferred: 10.7 ms at 48 kHz.
    package static let standardQuantum = 512

    /// Frames of a block at a rate in Hz.
    package func quantum(at sampleRate: Double) -> Int {
        guard let bufferDuration, bufferDuration > 0 else { return DevicePreferences.standardQuantum }
        let frames = (min(bufferDuration, 10) * sampleRate).rounded()
        return frames.isFinite ? min(max(Int(frames), 16), 8192) : DevicePreferences.standardQuantum
    }

    /// The rate, if devices can have it.
    var possibleRate: Double? { sampleRate.flatMap { StreamFormat.rates.contains($0) ? $0 : nil } }

    /// Opens the device that is preferred; the default where it is not there. Where no rate is preferred it has the
    /// preferred one, or its own.
    func open<Device>(
        _ preferred: String?, sampleRate: Double?, _ opened: (String?, Double?) throws -> Device
    ) throws -> Device {
        let rate = sampleRate ?? possibleRate
        do {
            return try opened(preferred, rate)
        } catch DeviceError.noDevice where preferred != nil {
            return try open(nil, sampleRate: sampleRate, opened)
        } catch DeviceError.wrongRate where sampleRate == nil && rate != nil {
            return try opened(preferred, nil)
        }
    }
}
