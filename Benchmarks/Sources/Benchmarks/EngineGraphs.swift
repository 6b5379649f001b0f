import AVFAudio
import Foundation

/// What graphs of `AVAudioEngine` cost, as multiples of real time on one core.
enum EngineGraphs {
    private static let rate = 48_000.0
    private static let block: AVAudioFrameCount = 512

    /// Looped players, in groups of 50 through mixers of their own into the main one.
    static func players(_ count: Int, seconds: Double) throws -> Double {
        let stage = try Stage()
        let groups = (0..<(count + 49) / 50).map { _ in AVAudioMixerNode() }
        for group in groups { try stage.add(group, to: stage.engine.mainMixerNode) }
        let players = try (0..<count).map { index in
            let player = AVAudioPlayerNode()
            try stage.add(player, to: groups[index / 50])
            player.volume = 0.9
            player.pan = Float(index % 21) / 10 - 1
            player.scheduleBuffer(stage.noise, at: nil, options: .loops)
            return player
        }
        return try stage.speed(seconds: seconds, players)
    }

    /// One player through an equaliser.
    static func equalizer(bands: Int, seconds: Double) throws -> Double {
        let stage = try Stage()
        let equalizer = AVAudioUnitEQ(numberOfBands: bands)
        for (index, band) in equalizer.bands.enumerated() {
            band.frequency = 40 * powf(2, Float(index) / 8)
            band.gain = index % 2 == 0 ? 3 : -3
            band.bypass = false
        }
        try stage.add(equalizer, to: stage.engine.mainMixerNode)
        return try stage.speed(seconds: seconds, [stage.player(into: equalizer)])
    }

    /// One player through a measured room, `seconds` long.
    static func measuredRoom(seconds: Double, for length: Double) throws -> Double {
        let stage = try Stage()
        return try stage.speed(seconds: length, [stage.player(into: stage.measuredRoom(seconds: seconds))])
    }

    /// Seconds that each block of 128 frames costs, the least of some rounds of 64.
    static func measuredRoomBlocks(seconds: Double, rounds: Int) throws -> [Double] {
        let stage = try Stage()
        let player = try stage.player(into: stage.measuredRoom(seconds: seconds))
        try stage.engine.start()
        player.play()
        let fill = Int(seconds * rate) / 8192 + 3
        var least = [Double](repeating: .infinity, count: 64)
        for round in 0..<(fill + rounds) {
            for place in 0..<64 {
                let start = nanoseconds()
                try stage.engine.renderOffline(128, to: stage.buffer)
                if round >= fill { least[place] = min(least[place], Double(nanoseconds() - start) / 1e9) }
            }
        }
        return least
    }

    private static func nanoseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// Players, each behind a change of speed and pitch (cents).
    static func timePitch(_ changes: [(rate: Float, pitch: Float)], seconds: Double) throws -> Double {
        let stage = try Stage()
        let players = try changes.map { change in
            let unit = AVAudioUnitTimePitch()
            unit.rate = change.rate
            unit.pitch = change.pitch
            try stage.add(unit, to: stage.engine.mainMixerNode)
            return try stage.player(into: unit)
        }
        return try stage.speed(seconds: seconds, players)
    }

    /// Attaches, connects and starts a player while `voices` others sound, a hundred times: seconds each, with the plan
    /// that the render side gets. In the realtime mode, where each call makes one; offline the next render call does.
    static func hotAttach(among voices: Int) throws -> Double {
        let stage = try Stage(mode: .realtime)
        let players = try (0..<voices).map { _ in try stage.player(into: stage.engine.mainMixerNode) }
        try stage.engine.start()
        for player in players { player.play() }
        var ticks: clock_t = 0
        for _ in 0..<100 {
            try stage.render()
            let start = clock()
            let player = try stage.player(into: stage.engine.mainMixerNode)
            player.play()
            ticks += clock() - start
        }
        return Double(ticks) / Double(CLOCKS_PER_SEC) / 100
    }

    /// An engine in manual rendering.
    private struct Stage {
        let engine = AVAudioEngine()
        let noise: AVAudioPCMBuffer
        let buffer: AVAudioPCMBuffer
        private let format: AVAudioFormat

        init(mode: AVAudioEngineManualRenderingMode = .offline) throws {
            guard let format = AVAudioFormat(standardFormatWithSampleRate: rate, channels: 2),
                let noise = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 48_000),
                let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: block)
            else { throw CocoaError(.featureUnsupported) }
            (self.format, self.noise, self.buffer) = (format, noise, buffer)
            noise.frameLength = 48_000
            for frame in 0..<48_000 {
                let sample = Float((frame &* 7919) % 1009) / 1009 - 0.5
                noise.floatChannelData?[0][frame] = sample * 0.01
                noise.floatChannelData?[1][frame] = -sample * 0.01
            }
            try engine.enableManualRenderingMode(mode, format: format, maximumFrameCount: block)
            _ = engine.mainMixerNode
        }

        func add(_ node: AVAudioNode, to target: AVAudioNode) throws {
            engine.attach(node)
            try engine.connectNode(node, to: target, format: format)
        }

        /// In front of the main mixer.
        func measuredRoom(seconds: Double) throws -> AVAudioUnitReverb {
            let reverb = AVAudioUnitReverb()
            try reverb.loadImpulseResponse(try response(seconds: seconds))
            try add(reverb, to: engine.mainMixerNode)
            return reverb
        }

        /// Noise that falls by 60 dB.
        private func response(seconds: Double) throws -> AVAudioPCMBuffer {
            let count = Int(seconds * rate)
            guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(count)) else {
                throw CocoaError(.featureUnsupported)
            }
            buffer.frameLength = AVAudioFrameCount(count)
            for channel in 0..<2 {
                for frame in 0..<count {
                    let noise = Float((frame &* (7919 + 2 * channel)) % 1009) / 1009 - 0.5
                    buffer.floatChannelData?[channel][frame] = noise * expf(-6.9 * Float(frame) / Float(count))
                }
            }
            return buffer
        }

        func player(into target: AVAudioNode) throws -> AVAudioPlayerNode {
            let player = AVAudioPlayerNode()
            try add(player, to: target)
            player.scheduleBuffer(noise, at: nil, options: .loops)
            return player
        }

        /// One call of the realtime mode.
        func render() throws {
            buffer.frameLength = block
            let list = buffer.mutableAudioBufferList
            guard engine.manualRenderingBlock(block, list, nil) == .success else {
                throw CocoaError(.featureUnsupported)
            }
        }

        /// Seconds of sound per second of processor time.
        func speed(seconds: Double, _ players: [AVAudioPlayerNode]) throws -> Double {
            try engine.start()
            for player in players { player.play() }
            for _ in 0..<8 { try engine.renderOffline(block, to: buffer) }
            let calls = Int(seconds * rate) / Int(block)
            let start = WallTime.seconds
            for _ in 0..<calls { try engine.renderOffline(block, to: buffer) }
            let elapsed = WallTime.seconds - start
            return Double(calls) * Double(block) / rate / max(elapsed, 1e-9)
        }
    }
}
