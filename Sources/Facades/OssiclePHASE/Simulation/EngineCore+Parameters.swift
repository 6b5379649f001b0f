import OssicleAcoustics
import OssicleCore
import OssicleRender
import OssicleSoundEvents

/// The gain chain, evaluated at every update: tree × calibration × normalisation for each voice, mixer × source × distance ×
/// occlusion × listener for each strip.
extension EngineCore {
    func writeParameters(_ output: OutputStage, rampFrames: Int) {
        for event in events where event.stage == .playing || event.silentFrom != nil {
            let values = event.values(at: now)
            var audible: [Int: Bool] = [:]
            var distances = [Double](repeating: .nan, count: event.tree.mixers.count)
            for (mixer, binding) in event.bindings.enumerated() {
                if case .spatial(let source, let listener) = binding, let path = paths.path(source, listener) {
                    distances[mixer] = path.centreDistance * unitsPerMeter
                }
            }
            for (mixer, strip) in event.strips {
                audible[mixer] = write(strip, event.bindings[mixer], values, output, rampFrames)
            }
            if event.stage == .playing { write(event, values, distances, audible, output, rampFrames) }
        }
    }

    // MARK: Voices

    private func write(_ event: EventInstance, _ values: ParameterValues, _ distances: [Double], _ audible: [Int: Bool],
                       _ output: OutputStage, _ rampFrames: Int) {
        let someoneIsSoloed = groups.values.contains(where: \.isSoloed)
        let gains = event.tree.gains(of: event.activations, parameters: values, distances: distances)
        for voice in event.voices where !voice.isOver {
            cull(voice, event, isAudible: audible[voice.leaf.generator.mixer] ?? true)
            let group = voice.leaf.generator.group.flatMap { groups[$0] }
            let groupGain = group?.gain(at: now, someoneIsSoloed: someoneIsSoloed) ?? 1
            let gain = gains[voice.activation] * voice.leaf.generator.gain(values) * voice.sound.normalisation * groupGain
            let rate = voice.leaf.generator.rate(values) * (group?.rate(at: now) ?? 1)
            voice.player.pointer.pointee.cell.write(output.playback(voice.sound.sampleRate, rate: rate, gain: gain, rampFrames: rampFrames))
        }
    }

    /// Stops, or puts to sleep, a voice that is beyond its cull distance, and wakes it when it is back.
    private func cull(_ voice: Voice, _ event: EventInstance, isAudible: Bool) {
        // What is paused keeps its place, and must not be woken into playing.
        if event.isHalted { return }
        switch (voice.state, isAudible) {
        case (.playing, false):
            switch voice.leaf.cull {
            case .doNotCull: return
            case .terminate:
                send(.stop, to: voice)
                voice.state = .terminated
                return
            case .sleepWakeAtZero, .sleepWakeAtRandomOffset, .sleepWakeAtRealtimeOffset:
                send(.sleep(advancing: voice.sleepsInRealTime), to: voice)
            }
            voice.state = .asleep
        case (.asleep, true):
            voice.state = .playing
            wake(voice, event)
        default: break
        }
    }

    private func wake(_ voice: Voice, _ event: EventInstance) {
        voice.wakings += 1
        let frame: Int64
        switch voice.leaf.cull {
        case .sleepWakeAtZero: frame = 0
        case .sleepWakeAtRandomOffset:
            let random = CounterRandom(seed: seed, object: event.number &* 65_537 &+ UInt64(voice.node))
            frame = Int64(random.unit(voice.wakings) * Double(voice.sound.frameCount))
        case .sleepWakeAtRealtimeOffset, .terminate, .doNotCull: return send(.wake, to: voice)
        }
        if let feeder = voice.feeder {
            streams.removeAll { $0 === feeder }
            if let restarted = StreamFeeder(voice.sound, loops: voice.leaf.playback == .looping, from: frame) {
                streams.append(restarted)
                voice.feeder = restarted
                send(.replace(restarted.source, at: frame), to: voice)
            }
            executor.release(feeder, at: executor.position)
        }
        send(.wakeAt(frame), to: voice)
    }

    // MARK: Strips

    /// - Returns: whether anything can be heard through the strip.
    private func write(_ strip: MixerStrip, _ binding: EventInstance.Binding, _ values: ParameterValues, _ output: OutputStage,
                       _ rampFrames: Int) -> Bool {
        let gain = strip.blueprint.gain(values)
        switch (strip.renderer, binding) {
        case (.channels(let box), _):
            box.pointer.pointee.cell.write(ChannelRenderer.Parameters(gain: Float(gain), rampFrames: rampFrames))
            return true
        case (.ambient(let box), .ambient(let listener)):
            box.pointer.pointee.cell.write(bedParameters(strip, listener, gain, rampFrames))
            return true
        case (.spatial(let box), .spatial(let source, let listener)):
            let parameters = spatialParameters(strip, source, listener, gain, values, output, rampFrames)
            box.pointer.pointee.cell.write(parameters.render)
            return parameters.isAudible
        default:
            return true
        }
    }

    private func bedParameters(_ strip: MixerStrip, _ listener: PHASEListener, _ gain: Double, _ rampFrames: Int) -> AmbientRenderer.Parameters {
        guard case .ambient(_, let bed) = strip.blueprint.kind, listener.isInScene else {
            return AmbientRenderer.Parameters(gain: 0, right: SIMD3(1, 0, 0), up: SIMD3(0, 1, 0), back: SIMD3(0, 0, 1), rampFrames: rampFrames)
        }
        let head = listener.worldPose
        func inHead(_ axis: Vector) -> SIMD3<Float> { SIMD3<Float>(Vector(axis.dot(head.right), axis.dot(head.up), axis.dot(head.back))) }
        return AmbientRenderer.Parameters(gain: Float(gain * listener.gain), right: inHead(bed.right), up: inHead(bed.up), back: inHead(bed.back),
                                          rampFrames: rampFrames)
    }

    private func spatialParameters(_ strip: MixerStrip, _ source: PHASESource, _ listener: PHASEListener, _ gain: Double,
                                   _ values: ParameterValues, _ output: OutputStage,
                                   _ rampFrames: Int) -> (render: SpatialRenderer.Parameters, isAudible: Bool) {
        guard case .spatial(let spatial) = strip.blueprint.kind, let path = paths.path(source, listener) else {
            // One of the two is not in the scene. Nobody is too far away: what plays goes on unheard until both are there.
            strip.motion.leave()
            (strip.told.directGain, strip.told.reverbSend, strip.told.rampFrames) = (0, 0, rampFrames)
            return (strip.told, true)
        }
        let common = gain * source.gain * listener.gain
        let window = spatial.distance?.cullDistance.map { CullWindow(cullDistance: $0 / unitsPerMeter).gain(at: path.centreDistance) } ?? 1
        let law = spatial.distance?.gain(at: path.effectiveDistance, unitsPerMeter: unitsPerMeter) ?? 1
        let (head, body) = (listener.worldPose, source.worldPose)
        // A shape radiates from its whole surface; only a point has a front.
        let sourcePattern = source.shapes.isEmpty ? strip.sourceDirectivity : .omnidirectional
        let bands = path.bandGains * sourcePattern.gains(from: body, towards: head.position)
            * strip.listenerDirectivity.gains(from: head, towards: body.position)
        let sendPower = sourcePattern.meanPower
        let send = (spatial.lateReverb?.value(values) ?? 0) * common * window * Double(sendPower[5]).squareRoot()
        let direct = (spatial.direct?.value(values) ?? 0) * common * window * law
        let delay = path.centreDistance / Medium().speedOfSound * output.sampleRate
        let equalizer = strip.equalizer(bands, output.equalizer)
        let direction = SIMD3<Float>(head.toLocalUnscaled(head.position + path.direction))
        let motion = strip.motion.step(direction, distance: path.centreDistance, at: executor.position, sampleRate: output.sampleRate,
                                       rampFrames: rampFrames)
        strip.told = SpatialRenderer.Parameters(directGain: Float(direct), equalizer: equalizer.design, equalizerVersion: equalizer.version,
                                                delay: Float(delay), direction: direction, reverbSend: Float(send),
                                                rampFrames: motion.rampFrames, jumps: motion.jumps)
        return (strip.told, window > 0)
    }
}
