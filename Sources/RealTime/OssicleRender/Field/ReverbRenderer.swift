import OssicleCore
import OssicleDSP

/// The late field of one room: a feedback delay network whose sixteen outputs are the channels of the bus. Audio
/// thread, but for `init`.
///
/// In an isotropic field all channels (in N3D weights) are incoherent and equally strong, as the outputs are;
/// `NetworkOutputs` says which of them is which channel.
struct ReverbRoom: ~Copyable {
    private var network: FeedbackDelayNetwork
    private let channels = ChannelMemory(count: FieldSums.channelCount)
    private let weights = SampleMemory(count: FieldSums.channelCount)
    /// By output of the network the channel's memory.
    private let outputs: OwnedMemory<UnsafeMutablePointer<Float>>

    /// - Parameters:
    ///   - latency: frames by which the bus delays it. - ears: that hear the bus.
    init(_ preset: ReverbPreset, sampleRate: Double, latency: Int, seed: UInt64, ears: AmbisonicHRTFTable?) {
        let settings = preset.settings(sampleRate: sampleRate, latency: latency, seed: seed)
        network = FeedbackDelayNetwork(settings, preset.parameters())
        outputs = OwnedMemory(count: FieldSums.channelCount, channels[0])
        let scales = SphericalHarmonics.weights(order: SphericalHarmonics.greatestOrder).squareRoot()
        let arrangement = NetworkOutputs(settings, patterns: Self.patterns, ears: ears)
        for (output, channel) in arrangement.places.enumerated() {
            outputs.pointer[output] = channels[channel]
            // Sixteen outputs, each with an eighth of the energy.
            weights[channel] = arrangement.signs[output] * Float(8).squareRoot() / Float(scales[channel])
        }
    }

    /// Every channel by itself.
    private static let patterns = (0..<FieldSums.channelCount).map { channel in
        var pattern = SIMD16<Float>.zero
        pattern[channel] = 1
        return pattern
    }

    mutating func reset() { network.reset() }

    /// Adds the room's answer to a mono signal to the bus. At most one quantum.
    mutating func reverberate(_ input: UnsafePointer<Float>, addingTo sums: FieldSums, _ frames: Int) {
        network.process(input, outputs: outputs.pointer, count: FieldSums.channelCount, frames)
        for channel in 0..<FieldSums.channelCount {
            sums.add(channels[channel], gain: weights[channel], to: channel, frames)
        }
    }
}

/// A preset's late field. Ports: send → one without channels, for the order: it adds to the ambisonic bus.
///
/// A room does not change while it sounds: another preset is another renderer, and this one is fed until that has
/// filled, and decays.
package struct ReverbRenderer: ControlledRenderer, ~Copyable {
    package struct Control: BitwiseCopyable {
        /// Frames until the longest band has fallen by 60 dB, predelay included.
        package let tail: Int
        package let departure: LatestValueCell<BuildUp>
    }

    package var control: Control { Control(tail: tail, departure: departure.cell) }
    private var room: ReverbRoom
    private var departure = RoomDeparture()
    private let tail: Int

    /// - Parameters:
    ///   - latency: frames by which the bus delays it; taken off the start of the tail. - ears: that hear the bus.
    package init(
        _ preset: ReverbPreset, sampleRate: Double, latency: Int = 0, seed: UInt64, ears: AmbisonicHRTFTable? = nil
    ) {
        tail =
            Int(sampleRate * (Double(preset.room.t60.lanes.max()) + preset.room.mixingTime)) + 2 * Grid.quantum
        room = ReverbRoom(preset, sampleRate: sampleRate, latency: latency, seed: seed, ears: ears)
    }

    package mutating func render(_ ports: Ports, _ context: RenderContext, _ sums: FieldSums) {
        room.reverberate(departure.input(ports.input(0), context), addingTo: sums, context.frames)
    }
}
