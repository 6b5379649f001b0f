/// Which channel of a stream is which channel of a sound field in ACN order and SN3D weights, and what it has to be multiplied by.
package struct SoundFieldFormat: Sendable, Equatable {
    package struct Channel: Sendable, Equatable {
        /// ACN index.
        package let index: Int
        /// From the stream's weights to SN3D.
        package let gain: Double

        package init(index: Int, gain: Double) { (self.index, self.gain) = (index, gain) }
    }

    /// In the stream's order; nil for a channel that is not heard.
    package let channels: [Channel?]
    /// 0…3.
    package let order: Int

    /// Channels above order 3 are not heard.
    package init(_ channels: [Channel?]) {
        self.channels = channels.map { channel in channel.flatMap { (0..<SphericalHarmonics.greatestCount).contains($0.index) ? $0 : nil } }
        order = self.channels.compactMap { $0.map { SphericalHarmonics.order(of: $0.index) } }.max() ?? 0
    }

    /// Channels of the field, heard or not: (order + 1)².
    package var count: Int { SphericalHarmonics.count(order: order) }
}
