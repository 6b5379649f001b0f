import OssicleCore
import OssicleDSP

/// The late field of one room: a feedback delay network whose sixteen outputs are the channels of the bus. Audio thread,
/// but for `init`.
///
/// In an isotropic field all channels (in N3D weights) are incoherent and equally strong, as the outputs are. The last of
/// these, whose first echoes are the loudest, is the one that ears hear the least of.
struct ReverbRoom: ~Copyable {
    private var network: FeedbackDelayNetwork
    private let channels = ChannelMemory(count: FieldSums.channelCount)
    private let weights = SampleMemory(count: FieldSums.channelCount)

    /// - Parameter latency: frames by which the bus delays it.
    init(_ preset: ReverbPreset, sampleRate: Double, latency: Int, seed: UInt64) {
        let settings = preset.settings(sampleRate: sampleRate, latency: latency, seed: seed)
        network = FeedbackDelayNetwork(settings, preset.parameters())
        let scales = SphericalHarmonics.weights(order: SphericalHarmonics.greatestOrder).squareRoot()
        for channel in 0..<FieldSums.channelCount {
            // Sixteen outputs, each with an eighth of the energy.
            weights[channel] = Float(8).squareRoot() / Float(scales[channel])
        }
    }

    mutating func reset() { network.reset() }

    /// Adds the room's answer to a mono signal to the bus. At most one quantum.
    mutating func reverberate(_ input: UnsafePointer<Float>, addingTo sums: FieldSums, _ frames: Int) {
        network.process(input, outputs: channels.channels, count: FieldSums.channelCount, frames)
        for channel in 0..<FieldSums.channelCount {
            sums.add(channels[channel], gain: weights[channel], to: channel, frames)
        }
    }
}

/// A preset's late field. Ports: send → one without channels, for the order: it adds to the ambisonic bus.
///
/// A room does not change while it sounds: another preset is another renderer, and this one is fed until that has filled,
/// and decays.
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

    /// - Parameter latency: frames by which the bus delays it; taken off the start of the tail.
    package init(_ preset: ReverbPreset, sampleRate: Double, latency: Int = 0, seed: UInt64) {
        tail =
            Int(sampleRate * (Double(preset.room.t60.lanes.max()) + preset.room.mixingTime)) + 2 * Grid.quantum
        room = ReverbRoom(preset, sampleRate: sampleRate, latency: latency, seed: seed)
    }

    package mutating func render(_ ports: Ports, _ context: RenderContext, _ sums: FieldSums) {
        room.reverberate(departure.input(ports.input(0), context), addingTo: sums, context.frames)
    }
}
