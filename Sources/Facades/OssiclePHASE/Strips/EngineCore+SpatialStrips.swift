import OssicleAcoustics
import OssicleCore
import OssicleRender
import OssicleSoundEvents

/// Spatial mixers: from the source to the ears of the listener.
extension EngineCore {
    /// - Returns: the renderer's parameters, and whether the strip is within its cull distance.
    func spatialParameters(_ strip: MixerStrip, _ source: PHASESource, _ listener: PHASEListener, _ gain: Double,
                           _ values: ParameterValues, _ output: OutputStage,
                           _ rampFrames: Int) -> (render: SpatialRenderer.Parameters, isAudible: Bool) {
        guard case .spatial(let spatial) = strip.blueprint.kind, let heard = paths.heard(source, listener) else {
            // One of the two is not in the scene. Nobody is too far away: what plays goes on unheard until both are there.
            strip.level = StripLevel(mixer: gain, listener: listener.currentGain, source: source.currentGain)
            strip.motion.leave()
            strip.early?.control.cell.write(.silent(leaps: strip.motion.leaps, rampFrames: rampFrames))
            strip.ways?.control.cell.write(PathsRenderer.Parameters(rampFrames: rampFrames))
            (strip.told.directGain, strip.told.reverbSend, strip.told.rampFrames) = (0, 0, rampFrames)
            return (strip.told, true)
        }
        let level = level(of: strip, spatial, source, listener, gain, values, heard)
        strip.level = level
        if strip.isVirtual { return (strip.told, level.cull > 0) }
        let common = level.mixer * level.source * level.listener * level.cull
        let bands = heard.path.bandGains * level.air * level.sourceDirectivity * level.listenerDirectivity
        let pattern = sourcePattern(strip, source)
        let send = (level.late ?? 0) * common * send(strip, source, listener, pattern, output)
        let (bandLevel, colour) = bands.levelAndColour
        let direct = (level.direct ?? 0) * common * level.distance * Double(bandLevel)
        strip.equalizer.set(colour, output.equalizer)
        strip.motion.follow(heard)
        let target = heard.target(speed: paths.speed)
        // Gains arrive where the flight does, or glide as all gains do.
        let gainFrames = heard.isAtRest ? rampFrames : max(heard.frames, Grid.quantum)
        strip.told = SpatialRenderer.Parameters(
            directGain: Float(direct), equalizer: strip.equalizer.design, equalizerVersion: strip.equalizer.version, target: target, leaps: strip.motion.leaps,
            reverbSend: Float(send), sendEqualizer: strip.sendEqualizer.design, sendEqualizerVersion: strip.sendEqualizer.version, rampFrames: gainFrames)
        let emission = Emission(pattern: pattern, body: heard.body, head: heard.head, common: common, direct: level.direct ?? 0, early: level.early ?? 0,
                                distanceGain: level.distance, distance: heard.path.centreDistance,
                                law: { [unitsPerMeter] in spatial.distance?.gain(at: $0, unitsPerMeter: unitsPerMeter) ?? 1 })
        if let early = strip.early { early.control.cell.write(earlyParameters(strip, emission, output, gainFrames)) }
        if let ways = strip.ways { ways.control.cell.write(pathParameters(strip, emission, heard.acoustics, output, gainFrames)) }
        return (strip.told, level.cull > 0)
    }

    /// What of a strip's sound goes into the late field where the listener is: all that the source radiates, or, where rays have found what the
    /// source leaves there, √(its energy / that of the field) in each band.
    /// - Returns: a factor; the strip's send filter is set to the rest.
    private func send(_ strip: MixerStrip, _ source: PHASESource, _ listener: PHASEListener, _ pattern: Directivity, _ output: OutputStage) -> Double {
        guard let share = rooms.share(of: source, at: listener) else {
            strip.sendEqualizer.set(.ones, output.equalizer)
            return Double(pattern.meanPower[5]).squareRoot()
        }
        var bands = pattern.meanPower
        for band in 0..<OctaveBands.count { bands[band] = (bands[band] * share[band]).squareRoot() }
        strip.sendEqualizer.set(bands, tolerance: 0.03, output.equalizer)
        return 1
    }

    private func level(of strip: MixerStrip, _ spatial: MixerBlueprint.Spatial, _ source: PHASESource, _ listener: PHASEListener, _ gain: Double,
                       _ values: ParameterValues, _ heard: HeardPath) -> StripLevel {
        let path = heard.path
        var level = StripLevel(mixer: gain, listener: listener.currentGain, source: source.currentGain)
        level.cull = spatial.distance?.cullDistance.map { CullWindow(cullDistance: $0 / unitsPerMeter).gain(at: path.centreDistance) } ?? 1
        level.distance = spatial.distance?.gain(at: path.effectiveDistance, unitsPerMeter: unitsPerMeter) ?? 1
        level.direct = spatial.direct?.value(values)
        level.early = spatial.earlyReflections?.value(values)
        level.late = spatial.lateReverb?.value(values)
        if let medium, medium.absorbs { level.air = medium.medium.gains(distance: path.centreDistance) }
        level.sourceDirectivity = sourcePattern(strip, source).gains(from: heard.sender, towards: heard.head.position)
        level.listenerDirectivity = strip.listenerDirectivity.gains(from: heard.head, towards: heard.body.position)
        level.path = path
        level.passing = heard.acoustics.passingEnergy
        return level
    }

    /// A shape radiates from its whole surface; only a point has a front.
    private func sourcePattern(_ strip: MixerStrip, _ source: PHASESource) -> Directivity {
        source.shapes.isEmpty ? strip.sourceDirectivity : .omnidirectional
    }
}
