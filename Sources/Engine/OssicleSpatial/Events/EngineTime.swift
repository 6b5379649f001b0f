import OssicleDevices

/// A moment that a client names.
package enum EngineTime: Sendable {
    /// A sample time at a rate in Hz; at 0 it counts the engine's own frames.
    case sample(Int64, rate: Double)
    /// Seconds of the host's clock; in manual rendering, of rendered time.
    case host(seconds: Double)

    /// The engine frame that this means, `next` at the earliest.
    ///
    /// A host time is as far from the next frame as from now; in manual rendering, where no frame has a time of day,
    /// host time 0 is frame 0.
    /// - Parameters:
    ///   - next: the frame that is rendered next.
    ///   - rate: of the engine, Hz.
    func frame(after next: Int64, rate: Double, isManual: Bool) -> Int64 {
        switch self {
        case .sample(let frame, let other):
            let isOurs = other == rate || other == 0
            return max(next, isOurs ? frame : Int64(nearest: Double(frame) / other * rate))
        case .host(let seconds) where isManual:
            return max(next, Int64(nearest: seconds * rate))
        case .host(let seconds):
            return max(next, Int64(nearest: Double(next) + (seconds - Double(HostClock.now) / 1e9) * rate))
        }
    }
}

extension Int64 {
    /// The nearest whole number, within what fits; 0 for NaN.
    package init(nearest number: Double) {
        let rounded = number.rounded()
        self = Int64(exactly: rounded) ?? (rounded > 0 ? .max : rounded < 0 ? .min : 0)
    }
}
