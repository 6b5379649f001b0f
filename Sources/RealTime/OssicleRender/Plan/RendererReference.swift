/// Every kind of renderer there is, as a bare pointer: a switch instead of a class hierarchy, so that a step costs neither a
/// reference count nor a witness table.
package enum RendererReference: BitwiseCopyable {
    case player(UnsafeMutablePointer<PlayerRenderer>)
    case spatial(UnsafeMutablePointer<SpatialRenderer>)
    case ambient(UnsafeMutablePointer<AmbientRenderer>)
    case channels(UnsafeMutablePointer<ChannelRenderer>)
    case reverb(UnsafeMutablePointer<ReverbRenderer>)
    case master(UnsafeMutablePointer<MasterRenderer>)

    @inline(__always)
    func render(_ ports: Ports, _ context: RenderContext) {
        switch self {
        case .player(let renderer): renderer.pointee.render(ports, context)
        case .spatial(let renderer): renderer.pointee.render(ports, context)
        case .ambient(let renderer): renderer.pointee.render(ports, context)
        case .channels(let renderer): renderer.pointee.render(ports, context)
        case .reverb(let renderer): renderer.pointee.render(ports, context)
        case .master(let renderer): renderer.pointee.render(ports, context)
        }
    }
}
