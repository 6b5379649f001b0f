import OssicleRender

/// The renderer behind a voice.
enum VoicePlayer {
    case sampler(RendererBox<PlayerRenderer>)
    case stream(RendererBox<StreamRenderer>)

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

    var status: UnsafeMutablePointer<PlayerRenderer.Status> {
        switch self {
        case .sampler(let box): box.pointer.pointee.status
        case .stream(let box): box.pointer.pointee.status
        }
    }

    func write(_ parameters: PlayerRenderer.Parameters) {
        switch self {
        case .sampler(let box): box.pointer.pointee.cell.write(parameters)
        case .stream(let box): box.pointer.pointee.cell.write(parameters)
        }
    }
}
