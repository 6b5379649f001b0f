/// What a device is asked to play, checked.
struct OutputFormat: Sendable, Hashable {
    let sampleRate: Double
    let channelCount: Int
    let quantum: Int

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
