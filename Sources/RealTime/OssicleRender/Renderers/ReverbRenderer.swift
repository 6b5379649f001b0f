import OssicleCore
import OssicleDSP

/// The late field of one room: a feedback delay network whose eight outputs arrive from the corners of a cube around the head.
/// Port: send → out.
///
/// A room does not change while it sounds: another preset is another renderer, and this one rings out.
package struct ReverbRenderer: ~Copyable {
    private var field: Field
    private let corners: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let memory: SampleMemory
    private let outputCount: Int
    private var network: FeedbackDelayNetwork

    /// Frames until the longest band has fallen by 60 dB, predelay included.
    package let tail: Int

    private static var cornerCount: Int { FeedbackDelayNetwork.outputCount }

    package init(_ preset: ReverbPreset, sampleRate: Double, seed: UInt64, spatializer: Spatializer, outputCount: Int) {
        self.outputCount = outputCount
        network = FeedbackDelayNetwork(preset.settings(sampleRate: sampleRate, seed: seed), preset.parameters())
        let room = preset.room
        tail = Int(sampleRate * (Double(room.t60.lanes.max()) + room.mixingTime)) + 2 * Grid.quantum
        memory = SampleMemory(count: Self.cornerCount * Grid.quantum)
        corners = .allocate(capacity: Self.cornerCount)
        for corner in 0..<Self.cornerCount { (corners + corner).initialize(to: memory.pointer + corner * Grid.quantum) }
        field = Field(spatializer, outputCount: outputCount)
    }

    deinit { corners.deallocate() }

    package mutating func render(_ ports: Ports, _ context: RenderContext) {
        network.process(ports.input(0), outputs: UnsafePointer(corners), context.frames)
        field.process(UnsafePointer(corners), to: ports.outputs, context.frames)
    }
}

/// Eight signals from around the head to the outputs.
private enum Field: ~Copyable {
    case ears(DiffuseEars)
    case speakers(DiffuseSpeakers)

    init(_ spatializer: Spatializer, outputCount: Int) {
        switch spatializer {
        case .binaural(let head): self = .ears(DiffuseEars(head: head, latency: Int(FractionalDelayLine.minimumDelay)))
        case .panned(let panner): self = .speakers(DiffuseSpeakers(panner: panner, count: outputCount))
        }
    }

    func process(_ corners: UnsafePointer<UnsafeMutablePointer<Float>>, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int) {
        switch self {
        case .ears(let ears): ears.process(corners, left: outputs[0], right: outputs[1], frames)
        case .speakers(let speakers): speakers.process(corners, to: outputs, frames)
        }
    }
}
