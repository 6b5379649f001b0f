import AVFoundation
import Workbench

/// One channel of a mixing desk. The two effects that have no class of their own are made from their descriptions.
///
///     player ──▶ high pass ──▶ equaliser ──▶ compressor ──▶ main mixer (volume, pan) ──▶ output
///                                                                └── tap ──▶ file
final class ChannelStrip {
    let engine = AVAudioEngine()
    let player = AVAudioPlayerNode()
    let highPass = effect(kAudioUnitSubType_HighPassFilter)
    let equaliser = AVAudioUnitEQ(numberOfBands: 1)
    let compressor = effect(kAudioUnitSubType_DynamicsProcessor)

    init(format: AVAudioFormat) throws {
        let chain = [player, highPass, equaliser, compressor]
        for node in chain { engine.attach(node) }
        for (node, next) in zip(chain, chain.dropFirst()) { engine.connect(node, to: next, format: format) }
        engine.connect(compressor, to: engine.mainMixerNode, format: format)

        try Self.set(kHipassParam_CutoffFrequency, of: highPass, to: 80)
        let brilliance = equaliser.bands[0]
        (brilliance.filterType, brilliance.frequency, brilliance.bandwidth, brilliance.gain, brilliance.bypass) = (
            .parametric, 6000, 1, 6, false
        )
        try Self.set(kDynamicsProcessorParam_Threshold, of: compressor, to: -20)
        try Self.set(kDynamicsProcessorParam_HeadRoom, of: compressor, to: 6)
        try Self.set(kDynamicsProcessorParam_ReleaseTime, of: compressor, to: 0.2)
        player.pan = -0.5
    }

    /// Writes what the desk gives to a file, from the next frame on, until `stopRecording`.
    func record(to url: URL) throws {
        let mixer = engine.mainMixerNode
        let file = try AVAudioFile(forWriting: url, settings: mixer.outputFormat(forBus: 0).settings)
        mixer.installTap(onBus: 0, bufferSize: 4096, format: nil) { buffer, _ in
            do { try file.write(from: buffer) } catch { print("\(error)") }
        }
    }

    /// Ends the recording, when the last of it has been written.
    func stopRecording() {
        engine.mainMixerNode.removeTap(onBus: 0)
        engine.drainCallbacks()
    }

    /// Decibels by which the compressor holds the sound down now.
    var reduction: AudioUnitParameterValue {
        var amount: AudioUnitParameterValue = 0
        AudioUnitGetParameter(
            compressor.audioUnit, kDynamicsProcessorParam_CompressionAmount, kAudioUnitScope_Global, 0, &amount)
        return amount
    }

    private static func effect(_ subtype: OSType) -> AVAudioUnitEffect {
        AVAudioUnitEffect(
            audioComponentDescription: AudioComponentDescription(
                componentType: kAudioUnitType_Effect, componentSubType: subtype,
                componentManufacturer: kAudioUnitManufacturer_Apple,
                componentFlags: 0, componentFlagsMask: 0))
    }

    private static func set(
        _ parameter: AudioUnitParameterID, of unit: AVAudioUnit, to value: AudioUnitParameterValue
    ) throws {
        let status = AudioUnitSetParameter(unit.audioUnit, parameter, kAudioUnitScope_Global, 0, value, 0)
        guard status == noErr else { throw Failure("\(unit.name) takes no parameter \(parameter) (\(status))") }
    }
}
