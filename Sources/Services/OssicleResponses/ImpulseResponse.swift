/// What a receiver hears of a source that sends one pulse: 1 is the pulse at 1 m in the open.
package struct ImpulseResponse: Sendable, Hashable {
    /// Hz.
    package let sampleRate: Double
    /// All of the same length; sample 0 is the moment of emission.
    package var channels: [[Float]]

    package init(sampleRate: Double, channels: [[Float]]) { (self.sampleRate, self.channels) = (sampleRate, channels) }

    package var frameCount: Int { channels.first?.count ?? 0 }
    package var seconds: Double { Double(frameCount) / sampleRate }
}
