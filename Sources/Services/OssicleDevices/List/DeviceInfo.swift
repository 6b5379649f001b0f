/// A device the sound server knows.
package struct DeviceInfo: Sendable, Hashable, Identifiable {
    package enum Direction: Sendable, Hashable { case output, input }

    /// The server's name of it, the same after a restart; opens the device.
    package let id: String
    /// What people call it.
    package let name: String
    package let direction: Direction
    /// Hz, native.
    package let sampleRate: Double
    /// Native.
    package let channelCount: Int
    /// Whether it is what programs get that name none.
    package let isDefault: Bool
    /// An input that hears what an output plays, and no microphone.
    package let isMonitor: Bool

    package init(id: String, name: String, direction: Direction, sampleRate: Double, channelCount: Int, isDefault: Bool = false, isMonitor: Bool = false) {
        (self.id, self.name, self.direction) = (id, name, direction)
        (self.sampleRate, self.channelCount, self.isDefault, self.isMonitor) = (sampleRate, channelCount, isDefault, isMonitor)
    }
}
