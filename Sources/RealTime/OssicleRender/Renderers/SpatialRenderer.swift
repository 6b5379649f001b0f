import OssicleCore
import OssicleDSP

/// A spatial mixer's strip: one mono bus to the ears or loudspeakers, and a send to the reverb. Ports: in → direct, send.
///
///     in ─┬─▶ octave bands (walls, directivity) ──▶ gain (distance …) ──▶ delay, direction ──▶ direct
///         └─▶ send gain ─────────────────────────────────────────────────────────────────────▶ send
package struct SpatialRenderer: ~Copyable {
    package struct Parameters: BitwiseCopyable {
        package var directGain: Float
        package var equalizer: BandEqualizerDesign
        /// Changes whenever the design does.
        package var equalizerVersion: UInt32
        /// Frames of travel.
        package var delay: Float
        /// Towards the source, in the head's axes (x right, y up, z back).
        package var direction: SIMD3<Float>
        package var reverbSend: Float
        package var rampFrames: Int
        /// Not a movement but a new place: cross-fade.
        package var jumps: Bool

        package init(directGain: Float, equalizer: BandEqualizerDesign, equalizerVersion: UInt32, delay: Float, direction: SIMD3<Float>, reverbSend: Float,
                     rampFrames: Int, jumps: Bool = false) {
            (self.directGain, self.equalizer, self.equalizerVersion) = (directGain, equalizer, equalizerVersion)
            (self.delay, self.direction) = (delay, direction)
            (self.reverbSend, self.rampFrames, self.jumps) = (reverbSend, rampFrames, jumps)
        }

        package static func silent(rampFrames: Int) -> Parameters {
            Parameters(directGain: 0, equalizer: .transparent, equalizerVersion: 0, delay: 0, direction: SIMD3(0, 0, -1), reverbSend: 0, rampFrames: rampFrames)
        }
    }

    package let cell = LatestValueCell(Parameters.silent(rampFrames: 0))
    /// Frames it goes on sounding after its input fell silent: what is on its way, and the filters' rest. Any thread.
    package var tail: Int { Int(ringing.load()) }
    private let ringing = PublishedPosition()
    private let outputCount: Int
    private let longestDelay: Int
    private let scratch = SampleMemory(count: Grid.quantum)
    private var direct = GainRamp(0)
    private var send = GainRamp(0)
    private var equalizer = BandEqualizer()
    private var voice: DirectionalVoice
    private var equalizerVersion: UInt32 = 0
    private var isFresh = true

    private static var filterTail: Int64 { 1024 }

    /// Travel times beyond this many seconds (343 m) are held there.
    private static var longestTravel: Double { 1 }

    package init(sampleRate: Double, spatializer: Spatializer, outputCount: Int) {
        let longest = Int(Self.longestTravel * sampleRate)
        self.outputCount = outputCount
        voice = DirectionalVoice(spatializer: spatializer, outputCount: outputCount, longestDelay: longest)
        longestDelay = longest
        ringing.store(Self.filterTail)
    }

    deinit { cell.deallocate() }

    package mutating func render(_ ports: Ports, _ context: RenderContext) {
        if context.isControlPoint, let new = cell.takeIfNew() { take(new) }
        let frames = context.frames
        send.process(from: ports.input(0), to: ports.output(outputCount), frames)
        equalizer.process(from: ports.input(0), to: scratch.pointer, frames)
        direct.process(scratch.pointer, frames)
        for channel in 0..<outputCount { Mixing.clear(ports.output(channel), frames) }
        voice.process(scratch.pointer, addingTo: ports.outputs, frames)
    }

    private mutating func take(_ new: Parameters) {
        let frames = isFresh ? 0 : new.rampFrames
        if new.directGain != direct.target { direct.setTarget(new.directGain, frames: frames) }
        if new.reverbSend != send.target { send.setTarget(new.reverbSend, frames: frames) }
        if new.equalizerVersion != equalizerVersion {
            equalizer.setTarget(new.equalizer, frames: frames)
            equalizerVersion = new.equalizerVersion
        }
        // A source that flees at half the speed of sound is heard for twice its delay.
        let delay = max(voice.delay, new.delay.isFinite ? new.delay : 0)
        ringing.store(Self.filterTail + Int64(min(2 * delay, Float(longestDelay))))
        voice.place(new.direction, delay: new.delay, frames: new.rampFrames, jumps: new.jumps)
        isFresh = false
    }
}
