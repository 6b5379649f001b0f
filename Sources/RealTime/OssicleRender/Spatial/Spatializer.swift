import OssicleDSP

/// What the output makes of a direction: two ears, or loudspeakers. Plain handles; whoever made the tables keeps them alive.
package enum Spatializer: BitwiseCopyable, @unchecked Sendable {
    case binaural(HeadCell)
    case panned(UnsafeMutablePointer<VBAPPanner>)

    /// Frames that the head delays sound from the front by; loudspeakers delay nothing.
    var frontDelay: Float {
        if case .binaural(let head) = self { head.table.frontDelay } else { 0 }
    }
}
