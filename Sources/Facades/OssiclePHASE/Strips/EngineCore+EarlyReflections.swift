import OssicleAcoustics
import OssicleCore
import OssicleRender

/// Early reflections of spatial mixers: image sources of the reverb preset's box, which stands around the listener.
extension EngineCore {
    func earlyParameters(_ strip: MixerStrip, _ emission: Emission, _ output: OutputStage, _ rampFrames: Int) -> EarlyReflectionsRenderer.Parameters {
        guard let room = output.earlyRoom, emission.early * emission.common > 0 else {
            return .silent(leaps: strip.motion.leaps, rampFrames: max(rampFrames, Self.farewell))
        }
        var parameters = EarlyReflectionsRenderer.Parameters(wall: room.design, wallVersion: room.version, leaps: strip.motion.leaps, rampFrames: rampFrames)
        let head = emission.head
        let box = BoxRoom(around: head.position, source: emission.body.position, size: room.size, wall: room.wall)
        for (index, mirrorings) in Self.reflections.enumerated() {
            let image = box.image(of: emission.body.position, mirrorings)
            let way = image.position - head.position
            let distance = way.magnitude
            let delay = paths.delay(of: distance, besides: emission.distance)
            guard distance.isFinite, distance > 0, delay < EarlyReflectionsRenderer.longestTravel * output.sampleRate else { continue }
            let departure = emission.pattern.gains(from: emission.body, towards: emission.body.position - image.mirrored(way))
            let arrival = strip.listenerDirectivity.gains(from: head, towards: image.position)
            // One filter serves all reflections of an order: directivity acts on them as at 1 kHz.
            let gain = emission.earlyReference / distance * Double(departure[5] * arrival[5])
            parameters.delays[index] = Float(delay)
            parameters.gains[index] = output.cube.gains(SIMD3<Float>(head.toLocalUnscaled(image.position))) * Float(gain)
        }
        return parameters
    }

    /// Frames in which reflections fall silent whose room is gone.
    private static let farewell = 4096
    private static let reflections = BoxRoom.indices(upTo: 2)
}
