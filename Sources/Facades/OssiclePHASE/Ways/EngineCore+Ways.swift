import OssicleAcoustics
import OssicleCore
import OssicleDSP
import OssicleRender

/// Ways around edges and off surfaces, as the scene's geometry makes them.
extension EngineCore {
    /// A way around an edge takes the place of the straight one, and the mixer's distance law with it.
    func pathParameters(_ strip: MixerStrip, _ emission: Emission, _ acoustics: SourceAcoustics, _ output: OutputStage, _ rampFrames: Int) -> PathsRenderer.Parameters {
        var parameters = PathsRenderer.Parameters(rampFrames: rampFrames)
        let bent = strip.bentWays.assign(emission.direct > 0 ? acoustics.diffractions : [])
        for (slot, way) in bent.enumerated() {
            guard let way else { parameters.sharp[slot].way.generation = strip.bentWays[slot].generation; continue }
            let heard = hear(way, in: slot, of: &strip.bentWays, emission, strip.listenerDirectivity, output)
            let gain = emission.common * emission.direct * emission.law(way.length) * Double(heard.level)
            parameters.sharp[slot] = PathsRenderer.Sharp(heard.way, direction: heard.direction, gain: Float(gain))
        }
        let mirrored = strip.mirroredWays.assign(emission.early > 0 ? acoustics.reflections : [])
        for (slot, way) in mirrored.enumerated() {
            guard let way else { parameters.soft[slot].way.generation = strip.mirroredWays[slot].generation; continue }
            let heard = hear(way, in: slot, of: &strip.mirroredWays, emission, strip.listenerDirectivity, output)
            let gain = emission.earlyReference / max(way.length, DistanceLaw.nearest) * Double(heard.level)
            parameters.soft[slot] = PathsRenderer.Soft(heard.way, corners: output.cube.gains(heard.direction) * Float(gain))
        }
        return parameters
    }

    /// Delay, colour, level and direction of a way. The colour may stand still for a tenth of a decibel, because solving for it takes microseconds.
    private func hear(_ path: SoundPath, in slot: Int, of slots: inout WaySlots, _ emission: Emission, _ ears: Directivity,
                      _ output: OutputStage) -> (way: PathsRenderer.Way, level: Float, direction: SIMD3<Float>) {
        var bands = path.bandGains * emission.pattern.gains(from: emission.body, towards: emission.body.position + path.departure)
            * ears.gains(from: emission.head, towards: emission.head.position + path.arrival)
        if let medium, medium.absorbs { bands = bands * medium.medium.gains(distance: path.length) }
        let (level, colour) = bands.levelAndColour
        slots[slot].equalizer.set(colour, tolerance: 0.01, output.equalizer)
        let (filter, generation) = (slots[slot].equalizer, slots[slot].generation)
        let way = PathsRenderer.Way(delay: paths.delay(of: path.length, besides: emission.distance), equalizer: filter.design, equalizerVersion: filter.version,
                                    generation: generation)
        return (way, level, SIMD3<Float>(emission.head.toLocalUnscaled(emission.head.position + path.arrival)))
    }
}
