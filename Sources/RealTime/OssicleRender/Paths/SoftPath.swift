import OssicleCore
import OssicleDSP

/// A path towards the corners of the cube around the head.
struct SoftPath: PathVoice, ~Copyable {
    private var tap = PathTap()
    private var gains = CornerRamp()
    private let spatializer: Spatializer

    init(_ spatializer: Spatializer) { self.spatializer = spatializer }

    var isSilent: Bool { tap.isSilent }

    /// Frames that the field behind it delays by itself.
    private var own: Double { Double(spatializer.frontDelay) }

    mutating func begin(_ target: PathsRenderer.Soft, frames: Int) {
        tap.begin(target.way, own: own, frames: frames)
        gains.setTarget(Self.held(target.corners), frames: 0)
    }

    mutating func move(_ target: PathsRenderer.Soft, frames: Int) {
        tap.move(target.way, own: own, frames: frames)
        gains.setTarget(Self.held(target.corners), frames: frames)
    }

    mutating func fade(to weight: Float, frames: Int) { tap.fade(to: weight, frames: frames) }

    mutating func silence() { tap.silence() }

    private static func held(_ gains: SIMD8<Float>) -> SIMD8<Float> { gains.sum().isFinite ? gains : .zero }

    /// - Parameter sound: memory for what comes out of the line.
    mutating func add(from line: borrowing FractionalDelayLine, by sound: UnsafeMutablePointer<Float>,
                      to corners: UnsafeMutablePointer<SIMD8<Float>>, _ frames: Int) {
        tap.read(line, to: sound, frames)
        gains.add(sound, to: corners, frames)
    }
}
