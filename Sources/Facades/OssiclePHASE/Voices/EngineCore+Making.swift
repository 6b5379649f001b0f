import OssicleRender
import OssicleSoundEvents

/// Voices for the leaves of an event that begins.
extension EngineCore {
    /// - Returns: nil for a leaf that cannot play.
    func makeVoice(_ event: EventInstance, _ node: Int, _ activation: Int, _ strip: MixerStrip, _ output: OutputStage) -> Voice? {
        if let leaf = event.tree.sampler(node), let sound = event.sounds[node] {
            return makeSampler(leaf, node, activation, sound, strip, output)
        }
        if let leaf = event.tree.stream(node), let stream = event.streams?.byNode[node] {
            return makeStream(leaf, node, activation, stream, strip, output)
        }
        return nil
    }

    /// A streamed sound's file is not opened here: a failure comes later, and ends the voice.
    private func makeSampler(_ leaf: SamplerLeaf, _ node: Int, _ activation: Int, _ sound: RegisteredSound, _ strip: MixerStrip,
                             _ output: OutputStage) -> Voice {
        let loops = leaf.playback == .looping
        let feeder = StreamFeeder(sound, leaf.asset, loops: loops, from: 0)
        if let feeder { readers.add(feeder) }
        let player = PlayerRenderer(source: feeder?.source ?? sound.source(loops: loops), outputCount: strip.inputChannels,
                                    parameters: output.playback(sound.sampleRate, rate: leaf.generator.rate, gain: 0, rampFrames: 0))
        return Voice(.sound(leaf, sound), node: node, activation: activation, player: .sampler(ControlledBox(player)), feeder: feeder)
    }

    private func makeStream(_ leaf: StreamLeaf, _ node: Int, _ activation: Int, _ stream: EventStream, _ strip: MixerStrip, _ output: OutputStage) -> Voice {
        let feed = stream.makeFeed()
        let renderer = StreamRenderer(feed: .block(feed.pointer), owner: feed, channelCount: leaf.channelCount, outputCount: strip.inputChannels,
                                      parameters: output.playback(leaf.sampleRate, rate: leaf.generator.rate, gain: 0, rampFrames: 0))
        let voice = Voice(.stream(leaf), node: node, activation: activation, player: .stream(ControlledBox(renderer)))
        stream.begin(voice, clock, engineRate: output.sampleRate)
        return voice
    }
}
