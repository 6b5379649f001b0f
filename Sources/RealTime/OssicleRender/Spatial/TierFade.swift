import OssicleCore
import OssicleDSP

/// A strip's way from one tier to the other: the new one listens until its delay line holds all that it plays, then
/// both cross-fade in straight lines that add up to the gain. A plain value; audio thread.
struct TierFade: BitwiseCopyable {
    /// Seconds of a cross-fade.
    static var time: Double { 0.1 }

    private(set) var playing = VoiceTier.full
    /// Frames that each has listened for without a break; 0 for one that rests.
    private var listened = (full: 0, bus: 0)
    private(set) var framesLeft = 0

    /// As if it had always been there.
    mutating func settle(_ tier: VoiceTier) {
        playing = tier
        framesLeft = 0
        listened = tier == .full ? (1, 0) : (0, 1)
    }

    /// Whether a tier's voice is to be given sound.
    func listens(_ tier: VoiceTier) -> Bool { (tier == .full ? listened.full : listened.bus) > 0 }

    /// A tier that rested is to listen from now on.
    mutating func wake(_ tier: VoiceTier) {
        if tier == .full { listened.full = max(listened.full, 1) } else { listened.bus = max(listened.bus, 1) }
    }

    /// Whether a tier that listens has all of its past.
    func isReady(_ tier: VoiceTier, needing frames: Int) -> Bool {
        (tier == .full ? listened.full : listened.bus) > frames
    }

    mutating func begin(_ tier: VoiceTier, frames: Int) {
        playing = tier
        framesLeft = frames
    }

    /// Lets a block pass.
    mutating func advance(_ frames: Int) {
        framesLeft = max(framesLeft - frames, 0)
        if listened.full > 0 { listened.full += frames }
        if listened.bus > 0 { listened.bus += frames }
    }

    /// On the grid: what neither plays nor is to play rests.
    mutating func rest(wanted: VoiceTier) {
        guard framesLeft == 0 else { return }
        if playing != .full && wanted != .full { listened.full = 0 }
        if playing != .bus && wanted != .bus { listened.bus = 0 }
    }
}
