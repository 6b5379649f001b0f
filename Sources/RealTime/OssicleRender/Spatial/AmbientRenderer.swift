import OssicleChannels
import OssicleCore
import OssicleDSP

/// An ambient bed: every channel is a distant loudspeaker with a fixed direction in the world while the head turns.
/// Port: bed → out.
package struct AmbientRenderer: ControlledRenderer, ~Copyable {
    package struct Parameters: BitwiseCopyable {
        package var gain: Float
        /// The bed's axes as the head sees them.
        package var right, up, back: SIMD3<Float>
        package var rampFrames: Int

        package init(gain: Float, right: SIMD3<Float>, up: SIMD3<Float>, back: SIMD3<Float>, rampFrames: Int) {
            (self.gain, self.right, self.up, self.back, self.rampFrames) = (gain, right, up, back, rampFrames)
        }

        static let silent = Parameters(
            gain: 0, right: SIMD3(1, 0, 0), up: SIMD3(0, 1, 0), back: SIMD3(0, 0, 1), rampFrames: 0)
    }

    package var control: LatestValueCell<Parameters> { cell }
    private let cell = LatestValueCell(Parameters.silent)
    // `var`, as ThreadSanitizer needs it (CONTRIBUTING).
    private var voices: UnsafeMutablePointer<DirectionalVoice>
    /// Where ears listen.
    private let mix: BinauralMix?
    private let directions: OwnedMemory<SIMD3<Float>>
    /// Which input each voice plays: all but the LFE.
    private let inputs: OwnedMemory<Int>
    private let voiceCount: Int
    private let outputCount: Int
    private var gain = GainRamp(0)
    private var isFresh = true

    /// - Parameter speakers: where the bed's channels stand, in the bed's axes; an LFE is dropped.
    package init(speakers: [SpeakerLayout.Speaker], spatializer: Spatializer, outputCount: Int) {
        let heard = speakers.enumerated().filter { !$0.element.isLFE }
        voiceCount = heard.count
        self.outputCount = outputCount
        voices = .allocate(capacity: max(voiceCount, 1))
        mix = spatializer.makeMix()
        directions = OwnedMemory(count: voiceCount, .zero)
        inputs = OwnedMemory(count: voiceCount, 0)
        for (index, speaker) in heard.enumerated() {
            (voices + index).initialize(
                to: DirectionalVoice(spatializer: spatializer, outputCount: outputCount, longestDelay: 0))
            directions.pointer[index] = SIMD3<Float>(speaker.element.direction)
            inputs.pointer[index] = speaker.offset
        }
    }

    deinit {
        voices.deinitialize(count: voiceCount).deallocate()
        cell.deallocate()
    }

    package mutating func render(_ ports: Ports, _ context: RenderContext) {
        if context.isControlPoint, let new = cell.takeIfNew() { take(new) }
        for channel in 0..<outputCount { Mixing.clear(ports.output(channel), context.frames) }
        let before = gain
        let output = mix.output(ports.outputs)
        for voice in 0..<voiceCount {
            gain = before
            voices[voice].process(
                ports.input(inputs.pointer[voice]), gain: &gain, addingTo: output, offset: context.offset,
                context.frames)
        }
        mix.play(addingTo: ports.outputs, context)
    }

    private mutating func take(_ new: Parameters) {
        if isFresh || new.gain != gain.target { gain.setTarget(new.gain, frames: isFresh ? 0 : new.rampFrames) }
        isFresh = false
        for voice in 0..<voiceCount {
            let d = directions.pointer[voice]
            voices[voice].place(
                new.right * d.x + new.up * d.y + new.back * d.z, delay: 0, frames: new.rampFrames, jumps: false)
        }
    }
}
