import AVFAudio
import Foundation

/// Sound files for the examples, written into a folder of their own in the system's temporary folder.
public struct SoundFolder {
    public static let sampleRate = 48_000.0
    public let url: URL

    public init(_ name: String) throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "ossicle-\(name)-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// Makes this folder the one that relative paths start from, with `sound` in it under another name.
    public func makeCurrent(with sound: URL, as name: String) throws {
        try FileManager.default.moveItem(at: sound, to: url.appendingPathComponent(name))
        guard FileManager.default.changeCurrentDirectoryPath(url.path) else {
            throw Failure("\(url.path) cannot be entered")
        }
    }

    /// Two bars of drums, mono: a falling sine on the beats, noise between them.
    public func drumLoop() throws -> URL {
        var state: UInt32 = 1
        return try write("DrumLoop_24_48_Mono", seconds: 2) { time in
            state = state &* 1_664_525 &+ 1_013_904_223
            let (beat, offbeat) = (
                time.truncatingRemainder(dividingBy: 0.5), (time + 0.25).truncatingRemainder(dividingBy: 0.5)
            )
            let drum = 0.5 * sin(2 * .pi * (55 * beat + 2 * (1 - exp(-beat / 0.04)))) * exp(-beat / 0.1)
            return drum + 0.2 * (Double(state) / 4_294_967_296 - 0.5) * exp(-offbeat / 0.04)
        }
    }

    /// A short decaying tone, mono: a footstep that can be told from others by its frequency.
    public func clip(_ name: String, frequency: Double) throws -> URL {
        try write(name, seconds: 0.25) { time in
            0.5 * min(time / 0.005, 1) * sin(2 * .pi * frequency * time) * exp(-time / 0.05)
        }
    }

    private func write(_ name: String, seconds: Double, _ sound: (Double) -> Double) throws -> URL {
        let file = url.appendingPathComponent(name + ".wav")
        let frames = AVAudioFrameCount(seconds * SoundFolder.sampleRate)
        guard let format = AVAudioFormat(standardFormatWithSampleRate: SoundFolder.sampleRate, channels: 1),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames),
            let samples = buffer.floatChannelData?[0]
        else { throw Failure("no buffer for \(name)") }
        for frame in 0..<Int(frames) { samples[frame] = Float(sound(Double(frame) / SoundFolder.sampleRate)) }
        buffer.frameLength = frames
        try AVAudioFile(forWriting: file, settings: format.settings).write(from: buffer)
        return file
    }
}
