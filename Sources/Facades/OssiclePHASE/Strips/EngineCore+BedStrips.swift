import OssicleCore
import OssicleRender
import OssicleSoundEvents

/// Ambient mixers: the bed stays where it is in the world, the head turns in it.
extension EngineCore {
    func bedParameters(_ strip: MixerStrip, _ listener: PHASEListener, _ gain: Double, _ rampFrames: Int) -> AmbientRenderer.Parameters {
        strip.level = StripLevel(mixer: gain, listener: listener.currentGain)
        var (loudness, frames) = (0.0, rampFrames)
        // Without a listener it fades where it is.
        if case .ambient(_, let bed) = strip.blueprint.kind, listener.isInScene {
            loudness = gain * listener.currentGain
            frames = strip.turning.step(axes(of: bed, in: listener.headPose), at: executor.position, rampFrames: rampFrames)
        }
        let axes = strip.turning.axes
        return AmbientRenderer.Parameters(gain: Float(loudness), right: axes.right, up: axes.up, back: axes.back, rampFrames: frames)
    }

    private func axes(of bed: Pose, in head: Pose) -> BedMotion.Axes {
        func inHead(_ axis: Vector) -> SIMD3<Float> { SIMD3<Float>(Vector(axis.dot(head.right), axis.dot(head.up), axis.dot(head.back))) }
        return BedMotion.Axes(right: inHead(bed.right), up: inHead(bed.up), back: inHead(bed.back))
    }
}
