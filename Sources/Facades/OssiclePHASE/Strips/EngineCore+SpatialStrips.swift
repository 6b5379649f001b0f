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
            strip.level = StripLevel(mixer: gain, listener: listener.gain, source: source.gain)
            strip.motion.leave()
            strip.early?.pointer.pointee.cell.write(.silent(leaps: strip.motion.leaps, rampFrames: rampFrames))
            (strip.told.directGain, strip.told.reverbSend, strip.told.rampFrames) = (0, 0, rampFrames)
            return (strip.told, true)
        }
        let level = level(of: strip, spatial, source, listener, gain, values, heard)
        strip.level = level
        let common = level.mixer * level.source * level.listener * level.cull
        let bands = heard.path.bandGains * level.air * level.sourceDirectivity * level.listenerDirectivity
        let sendPower = sourcePattern(strip, source).meanPower
        let send = (level.late ?? 0) * common * Double(sendPower[5]).squareRoot()
        let direct = (level.direct ?? 0) * common * level.distance
        let equalizer = strip.equalizer(bands, output.equalizer)
        strip.motion.follow(heard)
        let target = heard.target(speed: paths.speed)
        // Gains arrive where the flight does, or glide as all gains do.
        let gainFrames = heard.isAtRest ? rampFrames : max(heard.frames, Grid.quantum)
        strip.told = SpatialRenderer.Parameters(directGain: Float(direct), equalizer: equalizer.design, equalizerVersion: equalizer.version,
                                                target: target, leaps: strip.motion.leaps, reverbSend: Float(send), rampFrames: gainFrames)
        if let early = strip.early {
            let emission = Emission(body: heard.body, pattern: sourcePattern(strip, source), gain: (level.early ?? 0) * common,
                                    distanceGain: level.distance, distance: heard.path.centreDistance)
            early.pointer.pointee.cell.write(earlyParameters(strip, emission, heard.head, output, gainFrames))
        }
        return (strip.told, level.cull > 0)
    }

    private func level(of strip: MixerStrip, _ spatial: MixerBlueprint.Spatial, _ source: PHASESource, _ listener: PHASEListener, _ gain: Double,
                       _ values: ParameterValues, _ heard: HeardPath) -> StripLevel {
        let path = heard.path
        var level = StripLevel(mixer: gain, listener: listener.gain, source: source.gain)
        level.cull = spatial.distance?.cullDistance.map { CullWindow(cullDistance: $0 / unitsPerMeter).gain(at: path.centreDistance) } ?? 1
        level.distance = spatial.distance?.gain(at: path.effectiveDistance, unitsPerMeter: unitsPerMeter) ?? 1
        level.direct = spatial.direct?.value(values)
        level.early = spatial.earlyReflections?.value(values)
        level.late = spatial.lateReverb?.value(values)
        if let medium, medium.absorbs { level.air = medium.medium.gains(distance: path.centreDistance) }
        level.sourceDirectivity = sourcePattern(strip, source).gains(from: heard.sender, towards: heard.head.position)
        level.listenerDirectivity = strip.listenerDirectivity.gains(from: heard.head, towards: heard.body.position)
        level.path = path
        return level
    }

    /// A shape radiates from its whole surface; only a point has a front.
    private func sourcePattern(_ strip: MixerStrip, _ source: PHASESource) -> Directivity {
        source.shapes.isEmpty ? strip.sourceDirectivity : .omnidirectional
    }
}
