import ArgumentParser
import Foundation
import OssicleAVFAudio
import OssicleAudioToolbox
import OssicleFiles
import OssicleInstruments

/// Who plays a bank.
enum MidiSynthesiser: String, ExpressibleByArgument, CaseIterable {
    case ossicle, fluidsynth
}

/// A MIDI file and a bank of sounds in an engine that renders offline.
final class MidiPerformance {
    private let engine = AVAudioEngine()
    private let sequencer: AVAudioSequencer
    private let synthesiser: AVAudioUnitMIDIInstrument
    private let format: AVAudioFormat
    private let buffer: AVAudioPCMBuffer
    private let input: String
    private let bank: String
    /// Kept, so that the unit finds it in memory.
    private let instrument: Instrument
    private var peak: Float = 0
    private var frames = 0
    private static let slice: AVAudioFrameCount = 4096
    /// Seconds behind the last event in which notes and reverb may die away.
    private static let longestTail = 10.0

    /// - Parameters:
    ///   - bank: nil for the machine's. - gain: dB.
    init(
        of input: String, bank: String?, sampleRate: Double, gain: Double, hasEffects: Bool,
        synthesiser choice: MidiSynthesiser
    ) throws {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: 2),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: Self.slice)
        else { throw ToolError("A rate of \(sampleRate) Hz cannot be rendered: give another --rate.") }
        (self.format, self.buffer, self.input) = (format, buffer, input)
        sequencer = AVAudioSequencer(audioEngine: engine)
        synthesiser = AVAudioUnitMIDIInstrument(
            audioComponentDescription: AudioComponentDescription(
                componentType: kAudioUnitType_MusicDevice, componentSubType: kAudioUnitSubType_MIDISynth,
                componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0))
        synthesiser.rendersEffects = hasEffects
        if choice == .fluidsynth { try synthesiser.setSynthesiser(.fluidSynth) }
        guard let path = bank ?? StandardBank.path else { throw StandardBank.missing }
        self.bank = path
        scale = Float(pow(10, gain / 20))
        instrument = try InstrumentLibrary.shared.bank(path: path)
        try sequencer.load(from: URL(fileURLWithPath: input))
        try Self.setBank(path, of: synthesiser)
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: Self.slice)
        engine.attach(synthesiser)
        try engine.connectNode(synthesiser, to: engine.mainMixerNode, format: format)
        try engine.start()
    }

    private let scale: Float

    private static func setBank(_ path: String, of synthesiser: AVAudioUnitMIDIInstrument) throws {
        let url = NSURL(fileURLWithPath: path)
        var reference = Unmanaged.passUnretained(url).toOpaque()
        let status = AudioUnitSetProperty(
            synthesiser.audioUnit, kMusicDeviceProperty_SoundBankURL, kAudioUnitScope_Global, 0, &reference,
            UInt32(MemoryLayout<UnsafeMutableRawPointer>.size))
        withExtendedLifetime(url) {}
        if status != noErr { throw ToolError("\(path) could not be loaded (\(status)): name another bank.") }
    }

    /// Seconds of music.
    private var length: Double { sequencer.tracks.map(\.lengthInSeconds).max() ?? 0 }

    /// Renders to the end, and until the last note has died away.
    /// - Parameter progress: gets the share that is done.
    func render(to writer: AudioFileWriter, _ progress: (Double) -> Void) throws {
        let music = Int((length * format.sampleRate).rounded(.up))
        let end = music + Int(Self.longestTail * format.sampleRate)
        try sequencer.start()
        while frames < end {
            let count = min(Int(Self.slice), frames < music ? music - frames : end - frames)
            guard try engine.renderOffline(AVAudioFrameCount(count), to: buffer) == .success,
                let planes = buffer.floatChannelData
            else { throw ToolError("\(input) could not be rendered: try it again.") }
            var loudest: Float = 0
            for channel in 0..<2 {
                for frame in 0..<count {
                    planes[channel][frame] *= scale
                    loudest = max(loudest, planes[channel][frame].magnitude)
                }
            }
            if frames >= music, loudest < 1e-5 { break }
            peak = max(peak, loudest)
            try writer.write((0..<2).map { UnsafePointer(planes[$0]) }, frames: count)
            frames += count
            progress(Double(min(frames, music)) / Double(max(music, 1)))
        }
        if let error = engine.lastError { throw error }
        engine.stop()
    }

    private struct Document: Encodable {
        let input, bank, sound, format: String
        let tracks, frames: Int
        /// Of the music and of the file; dBFS, nil for silence.
        let musicSeconds, seconds, timesRealTime: Double
        let peak: Double?
    }

    func json(_ format: String, _ output: String, _ elapsed: Duration) throws -> String {
        let seconds = Double(frames) / self.format.sampleRate
        return try JSONText.document(
            Document(
                input: input, bank: bank, sound: output, format: format, tracks: sequencer.tracks.count,
                frames: frames, musicSeconds: length, seconds: seconds,
                timesRealTime: seconds / max(elapsed / .seconds(1), 1e-6), peak: (20 * log10(Double(peak))).known))
    }

    /// What was rendered, in lines.
    func report(_ format: String, _ output: String, _ elapsed: Duration) -> String {
        let seconds = Double(frames) / self.format.sampleRate
        let time = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
        let level = peak > 0 ? "\(Text.number(20 * log10(Double(peak)), decimals: 1)) dBFS" : "silence"
        let loud =
            peak > 1 ? "; louder than full scale: give --gain \(-Int((20 * log10(Double(peak))).rounded(.up)))" : ""
        return """
            \(input): \(sequencer.tracks.count) tracks, \(Text.number(length, decimals: 2)) s, with \(bank)
            \(output): \(format), \(Text.number(seconds, decimals: 2)) s, peak \(level)\(loud)
            rendered at \(Text.number(seconds / max(time, 1e-6), decimals: 0)) times real time
            """
    }
}
