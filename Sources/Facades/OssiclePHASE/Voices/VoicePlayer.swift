import OssicleRender

/// The renderer behind a voice.
enum VoicePlayer {
    case sampler(ControlledBox<PlayerRenderer>)
    case stream(ControlledBox<StreamRenderer>)

    /// For commands.
    var voice: VoiceReference {
        switch self {
        case .sampler(let box): .player(box.pointer)
        case .stream(let box): .stream(box.pointer)
        }
    }

    /// For the graph.
    var renderer: RendererReference {
        switch self {
        case .sampler(let box): .player(box.pointer)
        case .stream(let box): .stream(box.pointer)
        }
    }

    var owner: AnyObject {
        switch self {
        case .sampler(let box): box
        case .stream(let box): box
        }
    }

    private var control: PlayerRenderer.Control {
        switch self {
        case .sampler(let box): box.control
        case .stream(let box): box.control
        }
    }

    var status: UnsafeMutablePointer<PlayerRenderer.Status> { control.status }

    func write(_ parameters: PlayerRenderer.Parameters) { control.cell.write(parameters) }
}
