// The engine behind a player.

import Foundation
import OssicleAVFAudio
import OssicleCoreAudioTypes

/// An engine that plays a ring: source → time effect → main mixer. Guarded by its player's lock; the source's block
/// alone runs on the audio thread.
final class PlaybackGraph {
    let engine = AVAudioEngine()
    private(set) var ring = PlaybackGraph.ring(2)
    private(set) var format = AVAudioFormat.items(rate: 48_000, labels: nil, 2)
    private(set) var algorithm = AVAudioTimePitchAlgorithm.timeDomain
    /// Frames of items per frame of the ring's clock; positive.
    private(set) var speed = 1.0

    private var source: AVAudioSourceNode?
    private let timePitch = AVAudioUnitTimePitch()
    private let varispeed = AVAudioUnitVarispeed()
    private var lastSample: Int64 = 0

    /// Five seconds at 48 kHz; less of sound with many channels.
    private static func ring(_ channels: Int) -> FrameRing {
        FrameRing(channels: channels, bits: channels > 8 ? 16 : 18)
    }

    init() {
        engine.staysOnWhenDevicesChange = true
        engine.errorHandler = { _ in }
        engine.attach(timePitch)
        engine.attach(varispeed)
        rebuild()
    }

    // MARK: Sound

    /// Takes another format or time effect. Sound that has not been played is dropped where the format changes.
    func adopt(_ new: AVAudioFormat, _ newAlgorithm: AVAudioTimePitchAlgorithm) {
        guard new != format || newAlgorithm != algorithm else { return }
        if new != format {
            ring = Self.ring(Int(new.channelCount))
            format = new
        }
        algorithm = newAlgorithm
        rebuild()
        set(speed: speed)
    }

    private func rebuild() {
        if let source { engine.detach(source) }
        let (ring, rate) = (ring, format.sampleRate)
        let node = AVAudioSourceNode(format: format) { _, stamp, frames, list in
            ring.take(Int(frames), at: stamp.pointee, rate: rate, into: list)
            return noErr
        }
        engine.attach(node)
        engine.disconnectNodeOutput(timePitch)
        engine.disconnectNodeOutput(varispeed)
        let effect: AVAudioNode = algorithm == .varispeed ? varispeed : timePitch
        engine.connect(node, to: effect, format: format)
        engine.connect(effect, to: engine.mainMixerNode, format: format)
        source = node
    }

    /// The speed that the time effect can do which is nearest to `rate`, without its sign.
    func possibleSpeed(_ rate: Float) -> Double {
        let range: ClosedRange<Float> = algorithm == .varispeed ? 0.25...4 : 1 / 32...32
        return Double(min(max(rate.magnitude, range.lowerBound), range.upperBound))
    }

    func set(speed new: Double) {
        speed = new
        timePitch.rate = Float(new)
        varispeed.rate = Float(new)
    }

    /// Linear gain.
    var volume: Float {
        get { engine.mainMixerNode.outputVolume }
        set { engine.mainMixerNode.outputVolume = newValue }
    }

    /// Drops all that has not been played. Stops rendering; `run` continues.
    func clear() {
        halt()
        ring.clear()
        timePitch.reset()
        varispeed.reset()
        source?.reset()
    }

    // MARK: Life

    /// Renders by calls of an `OfflineAudioDevice` of this format.
    func renderOffline(_ format: AVAudioFormat) throws {
        try engine.enableManualRenderingMode(
            .offline, format: format, maximumFrameCount: OfflineAudioDevice.longestSlice)
    }

    /// Plays to another output from the next `run` on; `nil` for the default. Stops rendering.
    func setOutput(_ device: String?) {
        engine.stop()
        lastSample = 0
        engine.outputDeviceUniqueID = device
    }

    /// Starts or continues. Throws why the device refuses.
    func run() throws {
        guard !engine.isRunning else { return }
        try engine.start()
        lastSample = engine.outputNode.lastRenderTime?.sampleTime ?? lastSample
    }

    func halt() {
        if engine.isRunning { engine.pause() }
    }

    /// Frames of output since the last call, as far as is known; at a device.
    func takeRenderedFrames() -> Int {
        guard let time = engine.outputNode.lastRenderTime, time.isSampleTimeValid else { return 0 }
        defer { lastSample = time.sampleTime }
        return Int(max(0, time.sampleTime - lastSample))
    }

    /// Frames of the ring per frame of output.
    var advance: Double {
        let output =
            engine.isInManualRenderingMode
            ? engine.manualRenderingFormat.sampleRate : engine.outputNode.outputFormat(forBus: 0).sampleRate
        return output > 0 ? speed * format.sampleRate / output : speed
    }
}
