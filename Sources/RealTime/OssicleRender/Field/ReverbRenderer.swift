import OssicleCore
import OssicleDSP

/// The late field of one room: a feedback delay network whose eight outputs arrive from the corners of a cube around
/// the head. Audio thread, but for `init`.
struct ReverbRoom: ~Copyable {
    static var cornerCount: Int { FeedbackDelayNetwork.outputCount }
    /// Frames: in time with the voices, which are late by what interpolating a delay takes.
    static var latency: Int { Int(FractionalDelayLine.minimumDelay) }

    var network: FeedbackDelayNetwork
    /// What the network's outputs are before `place`.
    let corners = ChannelMemory(count: cornerCount)
    private let field: CubeField

    init(_ network: consuming FeedbackDelayNetwork, _ field: consuming CubeField) {
        self.network = network
        self.field = field
    }

    /// A preset's room.
    init(_ preset: ReverbPreset, sampleRate: Double, seed: UInt64, field: consuming CubeField) {
        self.init(
            FeedbackDelayNetwork(preset.settings(sampleRate: sampleRate, seed: seed), preset.parameters()), field)
    }

    /// nil where loudspeakers play.
    var cell: BinauralCell<DiffuseBinaural>? { field.cell }

    /// A mono signal into the corners (overwritten). At most one quantum.
    mutating func reverberate(_ input: UnsafePointer<Float>, _ frames: Int) {
        network.process(input, outputs: corners.channels, frames)
    }

    /// The corners to the outputs (overwritten).
    func place(_ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int) {
        field.process(corners.channels, to: outputs, frames)
    }
}

/// A preset's late field. Port: send → out.
///
/// A room does not change while it sounds: another preset is another renderer, and this one is fed until that has filled,
/// and decays.
package struct ReverbRenderer: ControlledRenderer, ~Copyable {
    package struct Control: BitwiseCopyable {
        /// Frames until the longest band has fallen by 60 dB, predelay included.
        package let tail: Int
        /// nil where loudspeakers play.
        package let ears: BinauralCell<DiffuseBinaural>?
        package let departure: LatestValueCell<BuildUp>
    }

    package var control: Control { Control(tail: tail, ears: room.cell, departure: departure.cell) }
    private var room: ReverbRoom
    private var departure = RoomDeparture()
    private let tail: Int

    package init(_ preset: ReverbPreset, sampleRate: Double, seed: UInt64, spatializer: Spatializer, outputCount: Int) {
        tail =
            Int(sampleRate * (Double(preset.room.t60.lanes.max()) + preset.room.mixingTime)) + 2 * Grid.quantum
        room = ReverbRoom(
            preset, sampleRate: sampleRate, seed: seed,
            field: CubeField(spatializer, latency: ReverbRoom.latency, outputCount: outputCount))
    }

    /// The diffuse field's filters for an HRTF, as this renderer applies them. Control side.
    package static func ears(_ head: HRTFTable) -> DiffuseBinaural {
        DiffuseBinaural(head: head, latency: ReverbRoom.latency)
    }

    package mutating func render(_ ports: Ports, _ context: RenderContext) {
        room.reverberate(departure.input(ports.input(0), context), context.frames)
        room.place(ports.outputs, context.frames)
    }
}
