import OssicleDSP

/// Every kind of exit there is, as a bare pointer.
package enum ExitReference: BitwiseCopyable {
    case rate(UnsafeMutablePointer<TimeExit<RateConverter>>)
    case stretch(UnsafeMutablePointer<TimeExit<TimeStretcher>>)

    @inline(__always)
    func give(_ ports: Ports, _ context: RenderContext) { give(ports.inputs, frames: context.frames) }

    package func give(_ inputs: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int) {
        switch self {
        case .rate(let exit): exit.pointee.give(inputs, frames: frames)
        case .stretch(let exit): exit.pointee.give(inputs, frames: frames)
        }
    }

    package func update() {
        switch self {
        case .rate(let exit): exit.pointee.update()
        case .stretch(let exit): exit.pointee.update()
        }
    }

    package func framesNeeded(_ frames: Int) -> Int {
        switch self {
        case .rate(let exit): exit.pointee.kernel.framesNeeded(frames)
        case .stretch(let exit): exit.pointee.kernel.framesNeeded(frames)
        }
    }

    package func take(to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, frames: Int) {
        switch self {
        case .rate(let exit): exit.pointee.kernel.take(to: outputs, frames: frames)
        case .stretch(let exit): exit.pointee.kernel.take(to: outputs, frames: frames)
        }
    }

    /// Only while nothing is rendered, or on the audio thread.
    package func reset() {
        switch self {
        case .rate(let exit): exit.pointee.reset()
        case .stretch(let exit): exit.pointee.reset()
        }
    }

    /// A newcomer takes over the place in time of one that is already running.
    func align(with other: ExitReference) {
        if case (.rate(let exit), .rate(let running)) = (self, other) { exit.pointee.kernel.align(with: running.pointee.kernel) }
    }
}
