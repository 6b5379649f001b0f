import OssicleChannels

/// What a device is to play or record, checked.
struct StreamFormat: Sendable, Hashable {
    /// Hz.
    let sampleRate: Double
    let channelCount: Int
    /// Frames at a time.
    let quantum: Int
    /// Roles of the channels, numbered as Core Audio's labels; nil for the usual order.
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
        guard StreamFormat.rates.contains(sampleRate), (1...32).contains(channelCount) else {
            throw .badFormat(device: device, sampleRate: sampleRate, channelCount: channelCount)
        }
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.quantum = min(max(quantum, 16), 8192)
        self.channelLabels = channelLabels.flatMap { $0.count == channelCount ? $0 : nil }
    }
}

/// The order in which devices are given channels by default.
package enum DeviceChannels {
    /// Roles of quad, 5.1, 7.1 and 7.1.4, numbered as Core Audio's labels: surrounds at the sides before those in the
    /// rear. Nil for other numbers of channels.
    package static func usual(_ count: Int) -> [UInt32]? {
        switch count {
        case 4: ChannelOrder.labels(named: "L R Ls Rs")
        case 6, 8, 12: Array(ChannelOrder.labels(named: "L R C LFE Ls Rs Rls Rrs Vhl Vhr Ltr Rtr").prefix(count))
        default: nil
        }
    }
}

/// The format a caller wants a device in.
package struct FormatWishes: Sendable, Hashable {
    /// Hz; nil for the device's own.
    package var sampleRate: Double?
    /// Nil for the device's own.
    package var channelCount: Int?
    /// Roles of the channels, numbered as Core Audio's labels, for devices that sort channels by them; nil for the usual
    /// order (`DeviceChannels`).
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

    init(_ format: StreamFormat) {
        self.init(
            sampleRate: format.sampleRate, channelCount: format.channelCount, channelLabels: format.channelLabels,
            quantum: format.quantum)
    }

    /// The format at a device that has this rate and so many channels. Throws `DeviceError.badFormat` for what no device
    /// can do, so that it also serves before a device is looked for.
    /// - Parameter device: what errors call it.
    func format(
        of device: String, sampleRate rate: Double = StreamFormat.standard.sampleRate,
        channelCount count: Int = StreamFormat.standard.channelCount
    ) throws(DeviceError) -> StreamFormat {
        let rate = sampleRate ?? rate
        return try StreamFormat(
            device: device, sampleRate: rate, channelCount: channelCount ?? count,
            quantum: quantum ?? DevicePreferences.current.quantum(at: rate), channelLabels: channelLabels)
    }
}
