/// What a device is asked to play or record, checked.
struct StreamFormat: Sendable, Hashable {
    let sampleRate: Double
    let channelCount: Int
    let quantum: Int

    /// What is taken where neither the caller nor a device says otherwise.
    static let standard = (sampleRate: 48000.0, channelCount: 2)

    /// Throws `DeviceError.badFormat` for what no device can do; the quantum is moved to 16…8192 frames.
    init(device: String, sampleRate: Double, channelCount: Int, quantum: Int) throws(DeviceError) {
        guard sampleRate >= 1000, sampleRate <= 384_000, (1...32).contains(channelCount) else {
            throw .badFormat(device: device, sampleRate: sampleRate, channelCount: channelCount)
        }
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.quantum = min(max(quantum, 16), 8192)
    }
}
