/// A leaf that plays a registered sound asset.
package struct SamplerLeaf: Hashable, Sendable {
    package enum Playback: UInt8, Hashable, Sendable {
        case oneShot, looping
    }

    /// What becomes of the leaf while it cannot be heard.
    package enum Cull: UInt8, Hashable, Sendable {
        case terminate, sleepWakeAtZero, sleepWakeAtRandomOffset, sleepWakeAtRealtimeOffset, doNotCull
    }

    /// Identifier of the sound asset, looked up when the event is made.
    package let asset: String
    package let generator: Generator
    package let playback: Playback
    package let cull: Cull

    package init(asset: String, generator: Generator, playback: Playback = .oneShot, cull: Cull = .terminate) {
        (self.asset, self.generator, self.playback, self.cull) = (asset, generator, playback, cull)
    }
}
