import OssicleChannels

/// What a device is to play or record, checked.
struct DeviceFormat: Sendable, Hashable {
    /// Hz.
    let sampleRate: Double
    let channelCount: Int
    /// Frames at a time.
    let quantum: Int
    /// Roles of the channels, numbered as Core Audio's labels; nil for one or two channels and where they are unknown.
    let channelLabels: [UInt32]?

    /// Hz a device can have.
    static let rates = 1000.0...384_000.0
    /// What is taken where neither the caller nor a device says otherwise.
    static let standard = (sampleRate: 48000.0, channelCount: 2)

    /// Of a frame of floats.
    var frameBytes: Int { channelCount * MemoryLayout<Float>.stride }

    /// Throws `DeviceError.badFormat` for what no device can do; the quantum is moved to 16…8192 frames.
    init(
        device: String, sampleRate: Double, channelCount: Int, quantum: Int, channelLabels: [UInt32]? = nil
    ) throws(DeviceError) {
        guard DeviceFormat.rates.contains(sampleRate), (1...32).contains(channelCount) else {
            throw .badFormat(device: device, sampleRate: sampleRate, channelCount: channelCount)
        }
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.quantum = min(max(quantum, 16), 8192)
        self.channelLabels = channelLabels.flatMap { $0.count == channelCount ? $0 : nil }
    }
}

/// The format a caller wants a device in.
package struct FormatWishes: Sendable, Hashable {
    /// Hz; nil for the device's own.
    package var sampleRate: Double?
    /// Nil for the device's own.
    package var channelCount: Int?
    /// Roles of the channels, numbered as Core Audio's labels, for devices that sort channels by them; nil for those
    /// that the device states, else the usual ones (`DeviceChannels.rendered`).
    package var channelLabels: [UInt32]?
    /// Frames at a time; nil for what `DevicePreferences` ask.
    package var quantum: Int?

    package init(
        sampleRate: Double? = nil, channelCount: Int? = nil, channelLabels: [UInt32]? = nil, quantum: Int? = nil
    ) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.channelLabels = channelLabels
        self.quantum = quantum
    }

    init(_ format: DeviceFormat) {
        self.init(
            sampleRate: format.sampleRate, channelCount: format.channelCount, channelLabels: format.channelLabels,
            quantum: format.quantum)
    }

    /// The format at a device that has this rate and so many channels. Throws `DeviceError.badFormat` for what no
    /// device can do, so that it also serves before a device is looked for.
    /// - Parameters:
    ///   - device: what errors call it.
    ///   - stated: roles of the device's channels; nil where it states none.
    func format(
        of device: String, sampleRate rate: Double = DeviceFormat.standard.sampleRate,
        channelCount count: Int = DeviceFormat.standard.channelCount, stated: [UInt32]? = nil
    ) throws(DeviceError) -> DeviceFormat {
        let (rate, count) = (sampleRate ?? rate, channelCount ?? count)
        return try DeviceFormat(
            device: device, sampleRate: rate, channelCount: count,
            quantum: quantum ?? DevicePreferences.current.quantum(at: rate),
            channelLabels: channelLabels ?? DeviceChannels.rendered(count, stated: stated))
    }
}
