import Foundation
import OssicleAudioToolbox
import OssicleAVFAudio
import OssicleCore

/// Every kind of node at work: players of buffers and files, mixers at several rates, all effects, changes of speed and
/// pitch, an environment, taps; and while it renders, players that come and go, connections that change, parameters in
/// motion.
final class CheckGraph {
    /// The chain behind the player.
    private struct Units {
        let varispeed = AVAudioUnitVarispeed()
        let pitch = AVAudioUnitTimePitch()
        let equalizer = AVAudioUnitEQ(numberOfBands: 8)
        let delay = AVAudioUnitDelay()
        let distortion = AVAudioUnitDistortion()
        let reverb = AVAudioUnitReverb()
        let dynamics = [
            kAudioUnitSubType_DynamicsProcessor, kAudioUnitSubType_PeakLimiter, kAudioUnitSubType_MultiBandCompressor,
            kAudioUnitSubType_LowPassFilter, kAudioUnitSubType_SampleDelay, kAudioUnitSubType_MatrixReverb,
        ].map { subtype in
            AVAudioUnitEffect(
                audioComponentDescription: AudioComponentDescription(
                    componentType: kAudioUnitType_Effect, componentSubType: subtype,
                    componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0))
        }

        var all: [AVAudioNode] { [varispeed, pitch, equalizer, delay, distortion, reverb] + dynamics }
    }

    private let engine = AVAudioEngine()
    private let format: AVAudioFormat
    private let mono: AVAudioFormat
    private let slow: AVAudioFormat
    private let environment = AVAudioEnvironmentNode()
    private let submix = AVAudioMixerNode()
    private let player = AVAudioPlayerNode()
    private let streamer = AVAudioPlayerNode()
    private let units = Units()
    private let noise: AVAudioPCMBuffer
    private let click: AVAudioPCMBuffer
    private let recording: URL
    private var guests: [AVAudioPlayerNode] = []
    private var echo = AVAudioUnitDelay()

    init(rate: Double = 48_000) throws {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: rate, channels: 2),
            let mono = AVAudioFormat(standardFormatWithSampleRate: rate, channels: 1),
            let slow = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2)
        else { throw CheckError("no format") }
        (self.format, self.mono, self.slow) = (format, mono, slow)
        noise = try Self.noise(slow, frames: 44_100)
        click = try Self.noise(mono, frames: 2_000)
        recording = try Self.file(of: noise)
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4096)
        try build()
    }

    private func build() throws {
        let source = AVAudioSourceNode { _, stamp, frames, list in
            for buffer in UnsafeMutableAudioBufferListPointer(list) {
                guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
                for frame in 0..<Int(frames) {
                    samples[frame] = Float(Int(stamp.pointee.mSampleTime) + frame & 255) * 0.0005
                }
            }
            return noErr
        }
        let chain = [player] + units.all
        for node in chain + [source, streamer, submix, environment] as [AVAudioNode] { engine.attach(node) }
        for (from, to) in zip(chain, chain.dropFirst()) { try engine.connectNode(from, to: to, format: slow) }
        if let last = chain.last { try engine.connectNode(last, to: submix, format: slow) }
        try engine.connectNode(streamer, to: submix, format: slow)
        try engine.connectNode(source, to: environment, format: mono)
        try engine.connectNode(submix, to: engine.mainMixerNode, format: format)
        try engine.connectNode(environment, to: engine.mainMixerNode, format: format)
        for band in units.equalizer.bands { band.bypass = false }
        source.renderingAlgorithm = .HRTF
        source.reverbBlend = 0.3
        environment.reverbParameters.enable = true
        engine.mainMixerNode.installTap(onBus: 0, bufferSize: 512, format: nil) { _, _ in }
        player.installTap(onBus: 0, bufferSize: 64, format: nil) { _, _ in }
        try engine.start()
        player.scheduleBuffer(noise, at: nil, options: .loops)
        streamer.scheduleFile(try AVAudioFile(forReading: recording), at: nil)
        player.play()
        streamer.play()
    }

    /// - Returns: seconds rendered.
    func run() throws -> Double {
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4096) else {
            throw CheckError("no buffer")
        }
        // The runtime makes metadata when it is first needed: one turn of everything before the watch begins.
        engine.watchesRealTime = false
        var position = 0
        for turn in 0..<2 {
            var call = 1
            while position < (turn + 1) * 96_000 {
                try change(position / 64)
                try engine.renderOffline(AVAudioFrameCount(call), to: buffer)
                position += call
                call = call % 1024 + 37
            }
            engine.watchesRealTime = true
        }
        engine.stop()
        try? FileManager.default.removeItem(at: recording)
        if let error = engine.lastError { throw CheckError("the engine recorded: \(error)") }
        return (Double(position) / 480).rounded() / 100
    }

    private func change(_ step: Int) throws {
        let x = Float(step % 97) / 97
        units.varispeed.rate = step % 5 == 0 ? 1 : 0.5 + x
        units.pitch.pitch = step % 7 == 0 ? 0 : 1200 * x - 600
        units.pitch.rate = 0.5 + x
        units.equalizer.bands[step % 8].frequency = 100 + 8000 * x
        units.equalizer.bands[step % 8].gain = 12 * x - 6
        units.delay.delayTime = Double(x)
        units.distortion.loadFactoryPreset(AVAudioUnitDistortionPreset(rawValue: step % 22) ?? .drumsBitBrush)
        if step % 11 == 0 { units.reverb.loadFactoryPreset(AVAudioUnitReverbPreset(rawValue: step % 13) ?? .plate) }
        if step % 11 == 4 { try units.reverb.loadImpulseResponse(noise) }
        if step % 11 == 8 { units.reverb.unloadImpulseResponse() }
        for effect in units.dynamics { effect.bypass = step % 13 == 0 }
        player.volume = x
        submix.pan = 2 * x - 1
        if step % 17 == 0 { for node in units.all + [environment] { node.reset() } }
        environment.listenerAngularOrientation = AVAudio3DAngularOrientation(yaw: 360 * x - 180, pitch: 0, roll: 0)
        try welcomeGuest(step)
    }

    /// A player of its own for a click, connected while everything sounds; at most 64 of them.
    private func welcomeGuest(_ step: Int) throws {
        let guest = AVAudioPlayerNode()
        engine.attach(guest)
        try engine.connectNode(guest, to: step % 2 == 0 ? environment : engine.mainMixerNode, format: mono)
        guest.renderingAlgorithm =
            [.equalPowerPanning, .sphericalHead, .HRTF, .HRTFHQ, .soundField, .stereoPassThrough, .auto][step % 7]
        guest.position = AVAudio3DPoint(x: Float(step % 9) - 4, y: 0, z: -2)
        guest.rate = step % 3 == 0 ? 1.5 : 1
        guest.scheduleBuffer(click, at: nil, completionCallbackType: .dataRendered) { _ in }
        guest.play()
        guests.append(guest)
        if guests.count > 64 { engine.detach(guests.removeFirst()) }
        try replaceEcho(step)
    }

    /// An effect that has been reset goes at once: the render side may still have it.
    private func replaceEcho(_ step: Int) throws {
        guard step % 23 == 0 else { return }
        echo.reset()
        engine.detach(echo)
        echo = AVAudioUnitDelay()
        engine.attach(echo)
        try engine.connectNode(echo, to: engine.mainMixerNode, format: format)
    }

    private static func noise(_ format: AVAudioFormat, frames: Int) throws -> AVAudioPCMBuffer {
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)),
            let data = buffer.floatChannelData
        else { throw CheckError("no buffer") }
        buffer.frameLength = AVAudioFrameCount(frames)
        let random = CounterRandom(seed: 1, object: 2)
        for channel in 0..<Int(format.channelCount) {
            for frame in 0..<frames {
                data[channel][frame] = Float(random.unit(UInt64(frame * 2 + channel)) - 0.5) * 0.5
            }
        }
        return buffer
    }

    private static func file(of buffer: AVAudioPCMBuffer) throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "realtime-check-\(UUID().uuidString).wav")
        let file = try AVAudioFile(forWriting: url, settings: buffer.format.settings)
        try file.write(from: buffer)
        file.close()
        return url
    }
}
