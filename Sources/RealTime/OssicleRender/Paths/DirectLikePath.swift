import OssicleCore
import OssicleDSP

/// A path from a direction of its own.
struct DirectLikePath: PathVoice, ~Copyable {
    private var tap = PathTap()
    private var gain = GainRamp(0)
    private var voice: DirectionalVoice
    private let spatializer: Spatializer
    /// Frames until nothing is left in the voice.
    private var ringing = 0

    /// Frames of a voice's memory.
    private static var ring: Int { 1024 }

    init(_ spatializer: Spatializer, outputCount: Int) {
        voice = DirectionalVoice(spatializer: spatializer, outputCount: outputCount, longestDelay: 0)
        self.spatializer = spatializer
    }

    var isSilent: Bool { ringing == 0 }

    /// Frames that the voice delays by itself.
    private var own: Double {
        FractionalDelayLine.minimumDelay + Double(spatializer.frontDelay) + Double(spatializer.latency)
    }

    mutating func begin(_ target: PathsRenderer.DirectLike, frames: Int) {
        tap.begin(target.propagation, own: own, frames: frames)
        voice.restart()
        voice.place(target.direction, delay: 0, frames: 0, jumps: false)
        gain.setTarget(target.gain, frames: 0)
        ringing = Self.ring
    }

    mutating func move(_ target: PathsRenderer.DirectLike, frames: Int) {
        tap.move(target.propagation, own: own, frames: frames)
        voice.place(target.direction, delay: 0, frames: frames, jumps: false)
        gain.setTarget(target.gain, frames: frames)
    }

    mutating func fade(to weight: Float, frames: Int) { tap.fade(to: weight, frames: frames) }

    mutating func silence() {
        tap.silence()
        ringing = 0
    }

    /// - Parameter sound: memory for what comes out of the line.
    mutating func add(
        from line: borrowing FractionalDelayLine, by sound: UnsafeMutablePointer<Float>,
        to output: VoiceOutput, offset: Int, _ frames: Int
    ) {
        let fading = tap.framesToSilence
        tap.read(line, to: sound, frames)
        voice.process(sound, gain: &gain, addingTo: output, offset: offset, frames)
        if let fading { ringing = max(ringing - max(frames - fading, 0), 0) } else { ringing = Self.ring }
    }
}

/// A path into the ambisonic bus.
struct DiffusePath: PathVoice, ~Copyable {
    private var tap = PathTap()
    private var gains = Ramp<SIMD16<Float>>(.zero)
    private let spatializer: Spatializer

    init(_ spatializer: Spatializer) { self.spatializer = spatializer }

    var isSilent: Bool { tap.isSilent }

    /// Frames that the bus delays by itself.
    private var own: Double { spatializer.fieldDelay }

    mutating func begin(_ target: PathsRenderer.Diffuse, frames: Int) {
        tap.begin(target.propagation, own: own, frames: frames)
        gains.approach(Self.held(target.gains), frames: 0)
    }

    mutating func move(_ target: PathsRenderer.Diffuse, frames: Int) {
        tap.move(target.propagation, own: own, frames: frames)
        gains.approach(Self.held(target.gains), frames: frames)
    }

    mutating func fade(to weight: Float, frames: Int) { tap.fade(to: weight, frames: frames) }

    mutating func silence() { tap.silence() }

    private static func held(_ gains: SIMD16<Float>) -> SIMD16<Float> { gains.sum().isFinite ? gains : .zero }

    /// - Parameter sound: memory for what comes out of the line.
    mutating func add(
        from line: borrowing FractionalDelayLine, by sound: UnsafeMutablePointer<Float>,
        to targets: FieldTargets, _ frames: Int
    ) {
        tap.read(line, to: sound, frames)
        targets.add(sound, &gains, frames)
    }
}
