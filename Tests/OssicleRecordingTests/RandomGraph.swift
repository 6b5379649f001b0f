import Foundation
import OssicleAVFAudio
import OssicleCore
import OssicleTestSupport

/// A program that edits a graph at random between any two render calls, and keeps what it rendered.
final class RandomGraph {
    let engine = AVAudioEngine()
    private(set) var channels: [[Float]] = [[], []]
    private let random = CounterRandom(seed: 23, object: 5)
    private var draws: UInt64 = 0
    private let buffer: AVAudioPCMBuffer
    private let format: AVAudioFormat
    private let sound, loop: AVAudioPCMBuffer
    private let file: AVAudioFile
    private var players: [AVAudioPlayerNode] = []
    private let environment = AVAudioEnvironmentNode(), submix = AVAudioMixerNode()
    private let equalizer = AVAudioUnitEQ(numberOfBands: 2), delay = AVAudioUnitDelay(), reverb = AVAudioUnitReverb()
    private let speed = AVAudioUnitVarispeed(), distortion = AVAudioUnitDistortion(), pitch = AVAudioUnitTimePitch()

    private func draw(_ limit: Int) -> Int {
        draws += 1
        return min(Int(random.unit(draws) * Double(limit)), limit - 1)
    }

    private func draw(_ range: ClosedRange<Float>) -> Float {
        draws += 1
        return range.lowerBound + Float(random.unit(draws)) * (range.upperBound - range.lowerBound)
    }

    private static func made(_ samples: [Float], _ format: AVAudioFormat) throws -> AVAudioPCMBuffer {
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(samples.count)) else {
            throw CocoaError(.featureUnsupported)
        }
        buffer.frameLength = buffer.frameCapacity
        for channel in 0..<Int(format.channelCount) {
            for (frame, sample) in samples.enumerated() { buffer.floatChannelData?[channel][frame] = sample }
        }
        return buffer
    }

    init(recording: URL, folder: URL) throws {
        try engine.startRecordingCommands(to: recording)
        guard let stereo = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2),
            let mono = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1),
            let buffer = AVAudioPCMBuffer(pcmFormat: stereo, frameCapacity: 2048)
        else { throw CocoaError(.featureUnsupported) }
        (self.buffer, format) = (buffer, mono)
        sound = try Self.made(Signal.noise(count: 9000, seed: 3, amplitude: 0.2), mono)
        loop = try Self.made(Signal.sine(310, sampleRate: 44_100, count: 4410, amplitude: 0.2), mono)
        let url = folder.appendingPathComponent("tone.wav")
        try AVAudioFile(forWriting: url, settings: mono.settings).write(
            from: Self.made(Signal.sine(700, sampleRate: 44_100, count: 30_000, amplitude: 0.1), mono))
        file = try AVAudioFile(forReading: url)
        // Some before they are attached, some behind it.
        delay.delayTime = 0.05
        reverb.loadFactoryPreset(.smallRoom)
        reverb.wetDryMix = 20
        submix.outputVolume = 0.9
        for index in 0..<3 {
            let player = AVAudioPlayerNode()
            player.volume = 0.8 - 0.1 * Float(index)
            engine.attach(player)
            players.append(player)
        }
        for node in [environment, submix, equalizer, delay, reverb, speed, distortion, pitch] as [AVAudioNode] {
            engine.attach(node)
        }
        engine.connect(players[0], to: environment, format: mono)
        engine.connect(players[1], to: speed, format: mono)
        engine.connect(speed, to: equalizer, format: mono)
        engine.connect(equalizer, to: submix, format: mono)
        engine.connect(players[2], to: pitch, format: mono)
        engine.connect(pitch, to: delay, format: mono)
        engine.connect(delay, to: submix, format: mono)
        engine.connect(environment, to: engine.mainMixerNode, format: stereo)
        engine.connect(submix, to: reverb, format: stereo)
        engine.connect(reverb, to: engine.mainMixerNode, format: stereo)
        try engine.enableManualRenderingMode(.offline, format: stereo, maximumFrameCount: 2048)
        try engine.start()
        for player in players {
            player.scheduleBuffer(loop, at: nil, options: .loops)
            player.play()
        }
    }

    /// Renders `seconds` in calls of random length, with an edit before each.
    func run(seconds: Double) throws {
        let frames = channels[0].count + Int(seconds * 48_000)
        while channels[0].count < frames {
            try edit()
            let count = min(1 + draw(2048), frames - channels[0].count)
            guard try engine.renderOffline(AVAudioFrameCount(count), to: buffer) == .success else {
                throw CocoaError(.featureUnsupported)
            }
            for channel in 0..<2 {
                channels[channel] += UnsafeBufferPointer(start: buffer.floatChannelData?[channel], count: count)
            }
        }
    }

    private func edit() throws {
        let player = players[draw(players.count)]
        switch draw(24) {
        case 0: player.volume = draw(0...1)
        case 1: player.pan = draw(-1...1)
        case 2...3: players[0].position = AVAudio3DPoint(x: draw(-3...3), y: draw(-1...1), z: draw(-4...1))
        case 4:
            environment.listenerAngularOrientation = AVAudio3DAngularOrientation(
                yaw: draw(-90...90), pitch: draw(-20...20), roll: 0)
        case 5: players[0].renderingAlgorithm = draw(2) == 0 ? .HRTF : .equalPowerPanning
        case 6: environment.reverbParameters.enable.toggle()
        case 7: environment.distanceAttenuationParameters.rolloffFactor = draw(0.5...2)
        case 8: speed.rate = draw(0.5...2)
        case 9: equalizer.bands[draw(2)].frequency = draw(100...8000)
        case 10: (equalizer.bands[draw(2)].gain, equalizer.bands[0].bypass) = (draw(-12...12), draw(2) == 0)
        case 11: equalizer.bypass.toggle()
        case 12: delay.wetDryMix = draw(0...100)
        case 13: reverb.loadFactoryPreset(draw(2) == 0 ? .largeHall : .plate)
        case 14: pitch.pitch = draw(-600...600)
        case 15: player.pause()
        case 16: player.play()
        case 17: player.scheduleBuffer(sound, at: nil, options: draw(2) == 0 ? .interrupts : [])
        case 18: player.scheduleSegment(file, startingFrame: Int64(draw(10_000)), frameCount: 15_000, at: nil)
        case 19:
            player.stop()
            player.scheduleBuffer(loop, at: nil, options: .loops)
            player.play()
        case 20: rewire()
        case 21: submix.outputVolume = draw(0.3...1)
        case 22: players[1].destination(forMixer: submix, bus: 0)?.volume = draw(0...1)
        default: (players[0].reverbBlend, players[0].obstruction) = (draw(0...1), draw(-30...0))
        }
    }

    /// The distortion comes in between, or goes.
    private func rewire() {
        if distortion.engine != nil, engine.outputConnectionPoints(for: distortion, outputBus: 0).isEmpty {
            distortion.loadFactoryPreset(.multiEcho1)
            distortion.wetDryMix = 30
            engine.disconnectNodeOutput(delay)
            engine.connect(delay, to: distortion, format: format)
            engine.connect(distortion, to: submix, format: format)
        } else {
            engine.disconnectNodeOutput(distortion)
            engine.disconnectNodeOutput(delay)
            engine.connect(delay, to: submix, format: format)
        }
    }
}
