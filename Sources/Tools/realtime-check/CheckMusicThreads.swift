import Foundation
import OssicleAudioToolbox
import OssicleAVFAudio
import OssicleCoreAudioTypes

/// A sequencer that plays into instruments, and reverbs behind them that exchange measured rooms, all of which many
/// threads edit while a realtime manual rendering block renders them, for ThreadSanitizer to watch.
enum CheckMusicThreads {
    /// - Returns: how many turns the threads had, and how many frames were rendered meanwhile.
    static func run(threads: Int, seconds: Double) throws -> (turns: Int, frames: Int) {
        let music = try SharedMusic()
        defer { try? FileManager.default.removeItem(at: music.noise) }
        let (frames, turns) = try Hands.work(threads) {
            MusicHand(music, $0)
        } while: {
            try music.engine.renderInRealTime(for: seconds)
        }
        music.sequencer.stop()
        music.engine.stop()
        return (turns, frames)
    }
}

/// What all threads have in common.
private final class SharedMusic: @unchecked Sendable {
    let engine = AVAudioEngine()
    let sequencer: AVAudioSequencer
    let sampler = AVAudioUnitSampler()
    let synthesiser = AVAudioUnitMIDIInstrument(
        audioComponentDescription: AudioComponentDescription(
            componentType: kAudioUnitType_MusicDevice, componentSubType: kAudioUnitSubType_DLSSynth,
            componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0))
    let reverbs = [AVAudioUnitReverb(), AVAudioUnitReverb()]
    /// A sample of the sampler's.
    let noise: URL
    let rooms: [AVAudioPCMBuffer]

    init() throws {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2) else {
            throw CheckError("no format")
        }
        noise = try CheckScene.writeNoise()
        rooms = try (0..<3).map { try Self.room($0, format) }
        // What one thread stops while another loads is refused, and said here.
        engine.errorHandler = { _ in }
        try engine.enableManualRenderingMode(.realtime, format: format, maximumFrameCount: 1024)
        for (instrument, reverb) in zip([sampler, synthesiser], reverbs) {
            engine.attach(instrument)
            engine.attach(reverb)
            try engine.connectNode(instrument, to: reverb, format: format)
            try engine.connectNode(reverb, to: engine.mainMixerNode, format: format)
        }
        try sampler.loadAudioFiles(at: [noise])
        sequencer = AVAudioSequencer(audioEngine: engine)
        for part in 0..<4 {
            let track = sequencer.createAndAppendTrack()
            track.destinationAudioUnit = part % 2 == 0 ? sampler : synthesiser
            track.isLoopingEnabled = true
            for step in 0..<16 {
                track.addEvent(
                    AVMIDINoteEvent(channel: UInt32(part), key: UInt32(48 + step), velocity: 90, duration: 0.2),
                    at: Double(step) / 4)
            }
        }
        try engine.start()
        try sequencer.start()
    }

    /// Noise that decays: of a length in which no, one and both sizes of partition are needed.
    private static func room(_ number: Int, _ format: AVAudioFormat) throws -> AVAudioPCMBuffer {
        let frames = [100, 3000, 20_000][number]
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)),
            let planes = buffer.floatChannelData
        else { throw CheckError("no buffer") }
        buffer.frameLength = AVAudioFrameCount(frames)
        for channel in 0..<2 {
            for (frame, sample) in Noise.samples(frames, key: UInt64(channel)).enumerated() {
                planes[channel][frame] = sample * Float(frames - frame) / Float(frames)
            }
        }
        return buffer
    }
}

/// One thread's client: a track of its own, and a hand in everything else; one thing per turn.
private final class MusicHand: Hand {
    private let music: SharedMusic
    private var turn: Int
    private let number: Int
    private var own: AVMusicTrack?

    init(_ music: SharedMusic, _ number: Int) { (self.music, self.number, turn) = (music, number, 5 * number) }

    private var track: AVMusicTrack {
        let tracks = music.sequencer.tracks
        return tracks[turn / 14 % tracks.count]
    }
    private var instrument: AVAudioUnitMIDIInstrument { turn % 2 == 0 ? music.sampler : music.synthesiser }
    private var reverb: AVAudioUnitReverb { music.reverbs[number % 2] }
    /// Goes up and down.
    private var x: Float { Float(turn % 31) / 31 }

    func act() throws {
        turn += 1
        switch turn % 14 {
        case 0: addEvents()
        case 1: track.clearEvents(in: AVMakeBeatRange(Double(turn % 4), 0.5))
        case 2: arrange()
        case 3: music.sequencer.rate = 0.5 + x
        case 4: music.sequencer.currentPositionInBeats = Double(turn % 11)
        case 5: if number == 0 { try restart() }
        case 6: addOrRemoveTrack()
        case 7: playNotes()
        case 8: control()
        case 9: if turn / 14 % 3 == number % 3 { try music.sampler.loadAudioFiles(at: [music.noise]) }
        case 10: if turn / 14 % 2 == 0 { try reverb.loadImpulseResponse(music.rooms[turn / 28 % 3]) }
        case 11: changeReverb()
        case 12: look()
        default: instrument.sendMIDISysExEvent(Data([0xF0, 0x7F, 0x7F, 0x04, 0x01, 0, UInt8(64 + turn % 64), 0xF7]))
        }
    }

    func leave() {
        if let own { _ = music.sequencer.removeTrack(own) }
    }

    private func addEvents() {
        let beat = Double(turn % 16) / 4
        track.addEvent(AVMIDINoteEvent(channel: 1, key: UInt32(turn % 128), velocity: 80, duration: 0.3), at: beat)
        track.addEvent(AVMIDIProgramChangeEvent(channel: 1, programNumber: UInt32(turn % 128)), at: beat)
        music.sequencer.tempoTrack.addEvent(AVExtendedTempoEvent(tempo: 90 + 60 * Double(x)), at: beat)
    }

    private func arrange() {
        track.isMuted.toggle()
        track.isSoloed = turn % 3 == 0
        track.offsetTime = Double(turn % 3) / 10
        own?.destinationAudioUnit = instrument
        track.loopRange = AVMakeBeatRange(0, Double(turn % 4 + 1))
    }

    private func restart() throws {
        music.sequencer.stop()
        if turn / 14 % 8 == 0 {
            music.engine.reset()
            music.engine.pause()
            try music.engine.start()
        }
        try music.sequencer.start()
    }

    private func addOrRemoveTrack() {
        leave()
        own = turn / 14 % 2 == 0 ? music.sequencer.createAndAppendTrack() : nil
        own?.addEvent(AVMIDINoteEvent(channel: 2, key: 60, velocity: 100, duration: 1), at: 0)
    }

    private func playNotes() {
        for index in 0..<6 {
            instrument.startNote(UInt8(36 + (turn + 5 * index) % 60), withVelocity: 90, onChannel: UInt8(number))
            if index % 2 == 0 { instrument.stopNote(UInt8(36 + turn % 60), onChannel: UInt8(number)) }
        }
    }

    private func control() {
        instrument.sendController(
            [7, 10, 64, 123][turn / 14 % 4], withValue: UInt8(turn % 128), onChannel: UInt8(number))
        instrument.sendPitchBend(UInt16(turn * 16 % 16_384), onChannel: UInt8(number))
        instrument.sendProgramChange(UInt8(turn % 128), onChannel: UInt8(number))
        music.sampler.stereoPan = 200 * x - 100
    }

    private func changeReverb() {
        reverb.wetDryMix = 100 * x
        if turn / 14 % 5 == 1 { reverb.unloadImpulseResponse() }
        if turn / 14 % 5 == 3 { reverb.loadFactoryPreset(.cathedral) }
        if turn / 14 % 7 == 0 { reverb.reset() }
    }

    private func look() {
        var count = 0
        track.enumerateEvents(in: AVMakeBeatRange(0, 4)) { _, _, _ in count += 1 }
        _ = (
            music.sequencer.isPlaying, music.sequencer.currentPositionInSeconds, reverb.hasImpulseResponse,
            music.sequencer.data(withSMPTEResolution: 0, error: nil), music.sequencer.beats(forSeconds: 3), count
        )
    }
}
