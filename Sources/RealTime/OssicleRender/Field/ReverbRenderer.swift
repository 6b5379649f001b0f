import OssicleCore
import OssicleDSP

/// The late field of one room: a feedback delay network whose sixteen outputs arrive from `DiffuseDirections`. Audio thread,
/// but for `init`.
struct ReverbRoom: ~Copyable {
    static var directionCount: Int { DiffuseDirections.count }

    var network: FeedbackDelayNetwork
    /// What the network's outputs are before `add`.
    let directions = ChannelMemory(count: directionCount)
    private let encoders = OwnedMemory(count: directionCount, SIMD16<Float>.zero)

    init(_ network: consuming FeedbackDelayNetwork) {
        self.network = network
        // Sixteen outputs have twice the energy of eight.
        for direction in 0..<Self.directionCount {
            encoders.pointer[direction] = DiffuseDirections.encoders[direction] * Float(0.5).squareRoot()
        }
    }

    /// A preset's room.
    init(_ preset: ReverbPreset, sampleRate: Double, seed: UInt64) {
        self.init(FeedbackDelayNetwork(preset.settings(sampleRate: sampleRate, seed: seed), preset.parameters()))
    }

    /// A mono signal into the directions (overwritten). At most one quantum.
    mutating func reverberate(_ input: UnsafePointer<Float>, _ frames: Int) {
        network.process(input, outputs: directions.channels, count: Self.directionCount, frames)
    }

    /// The directions into the bus.
    func add(to sums: FieldSums, _ frames: Int) { sums.add(directions.channels, encoders.pointer, frames) }
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

    package init(_ preset: ReverbPreset, sampleRate: Double, seed: UInt64) {
        tail =
            Int(sampleRate * (Double(preset.room.t60.lanes.max()) + preset.room.mixingTime)) + 2 * Grid.quantum
        room = ReverbRoom(preset, sampleRate: sampleRate, seed: seed)
    }

    package mutating func render(_ ports: Ports, _ context: RenderContext, _ sums: FieldSums) {
        room.reverberate(departure.input(ports.input(0), context), context.frames)
        room.add(to: sums, context.frames)
    }
}
