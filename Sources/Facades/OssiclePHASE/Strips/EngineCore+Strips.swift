import OssicleRender
import OssicleSoundEvents

/// The gain chain, evaluated at every update: tree × calibration × normalisation for each voice, mixer × source × distance ×
/// occlusion × listener for each strip.
extension EngineCore {
    func writeParameters(_ output: OutputStage, rampFrames: Int) {
        settleGroups(ahead: Double(rampFrames) / output.sampleRate)
        for event in events where event.stage == .playing || event.silentFrom != nil {
            let values = event.values(at: now)
            var audible: [Int: Bool] = [:]
            for (mixer, strip) in event.strips {
                audible[mixer] = write(strip, event.bindings[mixer], values, output, rampFrames)
            }
            if event.stage == .playing { setLevels(of: event, values, audible) }
        }
        limitVoices()
        settleStrips(output, rampFrames: rampFrames)
        writeVoices(output, rampFrames: rampFrames)
    }

    /// Source to listener by mixer, in the client's units; not a number where there is no path.
    func distances(of event: EventInstance) -> [Double] {
        event.bindings.map { binding in
            guard case .spatial(let source, let listener) = binding, let path = paths.path(source, listener) else { return .nan }
            return path.centreDistance * unitsPerMeter
        }
    }

    /// - Returns: whether anything can be heard through the strip.
    func write(_ strip: MixerStrip, _ binding: EventInstance.Binding, _ values: ParameterValues, _ output: OutputStage,
                       _ rampFrames: Int) -> Bool {
        let gain = strip.blueprint.gain(values)
        switch (strip.renderer, binding) {
        case (.channels(let box), _):
            strip.level = StripLevel(mixer: gain)
            box.control.write(ChannelRenderer.Parameters(gain: Float(gain), rampFrames: rampFrames))
            return true
        case (.ambient(let box), .ambient(let listener)):
            box.control.write(bedParameters(strip, listener, gain, rampFrames))
            return true
        case (.ambisonic(let box), .ambient(let listener)):
            box.control.cell.write(bedParameters(strip, listener, gain, rampFrames))
            return true
        case (.spatial(let box), .spatial(let source, let listener)):
            let parameters = spatialParameters(strip, source, listener, gain, values, output, rampFrames)
            box.control.cell.write(parameters.render)
            return parameters.isAudible
        case (.virtual, .spatial(let source, let listener)):
            return spatialParameters(strip, source, listener, gain, values, output, rampFrames).isAudible
        case (.virtual, .ambient(let listener)):
            _ = bedParameters(strip, listener, gain, rampFrames)
            return true
        default:
            return true
        }
    }
}
