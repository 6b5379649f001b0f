import OssicleAcoustics
import OssicleCore
import OssicleRender

/// Early reflections of spatial mixers: image sources of the reverb preset's box, which stands around the listener.
extension EngineCore {
    /// Where a strip's sound comes from and how loud it is there.
    struct Emission {
        /// The source where it is heard from, and what it sends in which direction.
        let body: Pose
        let pattern: Directivity
        /// The strip's gain up to the distance law, that law's factor at `distance`, and that distance in metres.
        let gain: Double
        let distanceGain: Double
        let distance: Double
    }

    /// What reflections are to the direct sound is what their ways and walls make of it, whatever distance law the mixer has.
    func earlyParameters(_ strip: MixerStrip, _ emission: Emission, _ head: Pose, _ output: OutputStage, _ rampFrames: Int) -> EarlyReflectionsRenderer.Parameters {
        guard let room = output.earlyRoom, emission.gain > 0 else { return .silent(leaps: strip.motion.leaps, rampFrames: rampFrames) }
        var parameters = EarlyReflectionsRenderer.Parameters(wall: room.design, wallVersion: room.version, leaps: strip.motion.leaps, rampFrames: rampFrames)
        let box = BoxRoom(around: head.position, source: emission.body.position, size: room.size, wall: room.wall)
        let reference = emission.gain * emission.distanceGain * max(emission.distance, DistanceLaw.nearest)
        for (index, mirrorings) in Self.reflections.enumerated() {
            let image = box.image(of: emission.body.position, mirrorings)
            let way = image.position - head.position
            let distance = way.magnitude
            guard distance.isFinite, distance > 0, distance / paths.speed < EarlyReflectionsRenderer.longestTravel * output.sampleRate else { continue }
            let departure = emission.pattern.gains(from: emission.body, towards: emission.body.position - image.mirrored(way))
            let arrival = strip.listenerDirectivity.gains(from: head, towards: image.position)
            // One filter serves all reflections of an order: directivity acts on them as at 1 kHz.
            let gain = reference / distance * Double(departure[5] * arrival[5])
            parameters.delays[index] = Float(distance / paths.speed)
            parameters.gains[index] = output.cube.gains(SIMD3<Float>(head.toLocalUnscaled(image.position))) * Float(gain)
        }
        return parameters
    }

    private static let reflections = BoxRoom.indices(upTo: 2)
}
