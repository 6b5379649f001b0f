import OssicleCore
import OssicleDSP

/// The late field of one room: a feedback delay network whose eight outputs arrive from the corners of a cube around the head.
/// Port: send → out.
///
/// A room does not change while it sounds: another preset is another renderer, and this one rings out.
package struct ReverbRenderer: ControlledRenderer, ~Copyable {
    package struct Control: BitwiseCopyable {
        /// Frames until the longest band has fallen by 60 dB, predelay included.
        package let tail: Int
        /// nil where loudspeakers play.
        package let ears: EarsCell<DiffuseEars>?
    }

    package var control: Control { Control(tail: tail, ears: field.cell) }
    private let field: CubeField
    private let corners: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let memory: SampleMemory
    private let outputCount: Int
    private var network: FeedbackDelayNetwork
    private let tail: Int

    private static var cornerCount: Int { FeedbackDelayNetwork.outputCount }
    /// Frames: in time with the voices, which are late by what interpolating a delay takes.
    static var latency: Int { Int(FractionalDelayLine.minimumDelay) }

    package init(_ preset: ReverbPreset, sampleRate: Double, seed: UInt64, spatializer: Spatializer, outputCount: Int) {
        self.outputCount = outputCount
        network = FeedbackDelayNetwork(preset.settings(sampleRate: sampleRate, seed: seed), preset.parameters())
        let room = preset.room
        tail = Int(sampleRate * (Double(room.t60.lanes.max()) + room.mixingTime)) + 2 * Grid.quantum
        memory = SampleMemory(count: Self.cornerCount * Grid.quantum)
        corners = .allocate(capacity: Self.cornerCount)
        for corner in 0..<Self.cornerCount { (corners + corner).initialize(to: memory.pointer + corner * Grid.quantum) }
        field = CubeField(spatializer, latency: Self.latency, outputCount: outputCount)
    }

    deinit { corners.deallocate() }

    /// Ears for a head, as this renderer hears. Control side.
    package static func ears(_ head: HeadTable) -> DiffuseEars { DiffuseEars(head: head, latency: latency) }

    package mutating func render(_ ports: Ports, _ context: RenderContext) {
        network.process(ports.input(0), outputs: UnsafePointer(corners), context.frames)
        field.process(UnsafePointer(corners), to: ports.outputs, context.frames)
    }
}
