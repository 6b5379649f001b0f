import OssicleCore
import OssicleDSP

/// Eight signals from around the head to the outputs.
enum CubeField: ~Copyable {
    case ears(ChangingEars<DiffuseEars>)
    case speakers(DiffuseSpeakers)

    /// - Parameter latency: frames before the first sound, apart from the head's own delay.
    init(_ spatializer: Spatializer, latency: Int, outputCount: Int) {
        switch spatializer {
        case .binaural(let head): self = .ears(ChangingEars(DiffuseEars(head: head.table, latency: latency)))
        case .panned(let panner): self = .speakers(DiffuseSpeakers(panner: panner, count: outputCount))
        }
    }

    /// nil where loudspeakers play.
    var cell: EarsCell<DiffuseEars>? {
        switch self {
        case .ears(let changing): changing.cell
        case .speakers: nil
        }
    }

    func process(_ corners: UnsafePointer<UnsafeMutablePointer<Float>>, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int) {
        switch self {
        case .ears(let ears): ears.process(corners, left: outputs[0], right: outputs[1], frames)
        case .speakers(let speakers): speakers.process(corners, to: outputs, frames)
        }
    }
}
