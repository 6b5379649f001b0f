import Foundation
import OssicleHeader
import OssicleFiles
import OssicleResponses
import Synchronization

/// Samples behind a handle.
final class Sound: @unchecked Sendable {
    let rate: Int
    let frames, channels: Int
    let facts: CText
    /// Channel after channel; never written to again.
    private let memory: UnsafeMutablePointer<Float>
    private let digest = Mutex<CText?>(nil)

    /// - Parameter samples: of channels of the same length.
    init(_ samples: [[Float]], rate: Int, facts: some Encodable) {
        (self.rate, frames, channels) = (rate, samples.first?.count ?? 0, samples.count)
        self.facts = CText(json: facts)
        memory = .allocate(capacity: max(frames * channels, 1))
        for (channel, samples) in samples.enumerated() {
            samples.withUnsafeBufferPointer { source in
                guard let base = source.baseAddress else { return }
                (memory + channel * frames).initialize(from: base, count: frames)
            }
        }
    }

    deinit { memory.deallocate() }

    var count: Int { frames * channels }

    func samples(of channel: Int) -> UnsafePointer<Float>? {
        (0..<channels).contains(channel) && frames > 0 ? UnsafePointer(memory + channel * frames) : nil
    }

    func copy(to buffer: UnsafeMutablePointer<Float>, interleaved: Bool) {
        guard interleaved else { return buffer.update(from: memory, count: count) }
        for channel in 0..<channels {
            let samples = memory + channel * frames
            for frame in 0..<frames { buffer[frame * channels + channel] = samples[frame] }
        }
    }

    /// Channel after channel.
    var planes: [[Float]] {
        (0..<channels).map { Array(UnsafeBufferPointer(start: memory + $0 * frames, count: frames)) }
    }

    /// Nil where the file would be longer than its header can say.
    var wave: WaveFile? { WaveFile(channels: planes, sampleRate: rate) }

    var sha256: CText? {
        digest.withLock { digest in
            if digest == nil { digest = wave.map { CText(SHA256.hex(of: $0.bytes)) } }
            return digest
        }
    }

    /// Bytes of a WAVE file at the most: what is longer is refused before it is computed.
    static let most = 0xFFFF_FF00

    /// - Throws: `Fault` where so many samples fill no WAVE file, and memory at the worst.
    static func check(seconds: Double, rate: Int, channels: Int) throws {
        guard seconds * Double(rate) * Double(channels) * 4 < Double(most) else {
            throw Fault(
                "The sound", "of \(seconds) s, \(channels) channels and \(rate) Hz would be longer than 4 GB",
                rule: "a sound fits into a WAVE file", cure: "ask for fewer seconds or a lower rate")
        }
    }
}

@c @implementation
public func ossicle_sound_make(
    _ samples: UnsafePointer<Float>?, _ frames: Int, _ channels: Int, _ rate: Double, _ sound: HandlePlace?,
    _ error: ErrorPlace?
) -> Int32 {
    make(sound, error, "sound") {
        let rate = try Check.rate(rate)
        guard let samples, frames > 0, (1...1024).contains(channels), frames <= Sound.most / 4 / channels else {
            throw Fault(
                "samples", samples == nil ? "is NULL" : "are \(frames) frames of \(channels) channels",
                rule: "a sound has 1 to 1024 channels and up to 4 GB", cure: "give such a number")
        }
        return Sound(
            (0..<channels).map { Array(UnsafeBufferPointer(start: samples + $0 * frames, count: frames)) }, rate: rate,
            facts: [String: String]())
    }
}

private func sound(_ handle: OpaquePointer?) -> Sound? { try? Handles.object(handle, Sound.self, "sound") }

@c @implementation
public func ossicle_sound_frames(_ handle: OpaquePointer?) -> Int { sound(handle)?.frames ?? 0 }

@c @implementation
public func ossicle_sound_channels(_ handle: OpaquePointer?) -> Int { sound(handle)?.channels ?? 0 }

@c @implementation
public func ossicle_sound_rate(_ handle: OpaquePointer?) -> Double { Double(sound(handle)?.rate ?? 0) }

@c @implementation
public func ossicle_sound_samples(_ handle: OpaquePointer?, _ channel: Int) -> UnsafePointer<Float>? {
    sound(handle)?.samples(of: channel)
}

@c @implementation
public func ossicle_sound_sha256(_ handle: OpaquePointer?) -> UnsafePointer<CChar>? { sound(handle)?.sha256?.pointer }

@c @implementation
public func ossicle_sound_facts(_ handle: OpaquePointer?) -> UnsafePointer<CChar>? { sound(handle)?.facts.pointer }

@c @implementation
public func ossicle_sound_free(_ handle: OpaquePointer?) { Handles.free(handle, Sound.self) }

@c @implementation
public func ossicle_sound_copy(
    _ handle: OpaquePointer?, _ buffer: UnsafeMutablePointer<Float>?, _ capacity: Int, _ interleaved: Int32,
    _ error: ErrorPlace?
) -> Int32 {
    call(error) {
        let sound = try Handles.object(handle, Sound.self, "sound")
        guard let buffer else {
            throw Fault("buffer", "is NULL", rule: "the samples go there", cure: "give memory for them")
        }
        guard UInt(bitPattern: capacity) >= UInt(sound.count) else {
            throw Fault(
                "capacity", "is \(capacity)", rule: "the sound has \(sound.count) samples",
                cure: "give a buffer of frames × channels")
        }
        sound.copy(to: buffer, interleaved: interleaved != 0)
    }
}

@c @implementation
public func ossicle_sound_write(
    _ handle: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ overwrite: Int32, _ error: ErrorPlace?
) -> Int32 {
    call(error) {
        let sound = try Handles.object(handle, Sound.self, "sound")
        try SoundFile(String(path, named: "path"), overwrites: overwrite != 0).write(sound)
    }
}

/// A WAVE file on its way to its place.
private struct SoundFile {
    let path: String
    let overwrites: Bool
    private static let count = Atomic(0)

    init(_ path: String, overwrites: Bool) throws {
        (self.path, self.overwrites) = (path, overwrites)
        guard (path as NSString).pathExtension.lowercased() == "wav" else {
            throw Fault(path, "is not .wav", rule: "a sound is written as WAVE", cure: "give a name with that ending")
        }
    }

    /// Beside its place under a hidden name, then renamed, so that half a file is never read.
    func write(_ sound: Sound) throws {
        guard let wave = sound.wave else {
            throw Fault(path, "would be longer than 4 GB", rule: "a WAVE file is not", cure: "render fewer seconds")
        }
        let number = Self.count.add(1, ordering: .relaxed).newValue
        let folder = (path as NSString).deletingLastPathComponent
        let beside = (folder as NSString).appendingPathComponent(".ossicle-\(getpid())-\(number).wav")
        do {
            try Data(wave.bytes).write(to: URL(fileURLWithPath: beside))
        } catch {
            unlink(beside)
            throw failed("could not be written (\(error.localizedDescription))")
        }
        // A link is made only where nothing is yet, and unlike a rename in one step.
        guard (overwrites ? rename(beside, path) : link(beside, path)) == 0 else {
            let reason = errno == EEXIST ? "exists" : "could not be written (\(String(cString: strerror(errno))))"
            unlink(beside)
            throw failed(reason)
        }
        if !overwrites { unlink(beside) }
    }

    private func failed(_ finding: String) -> Fault {
        Fault(
            path, finding, rule: "a sound goes where nothing is, or replaces a file where that is asked for",
            cure: "choose a place where you may write, or overwrite", code: OSSICLE_BAD_FILE)
    }
}

/// What `ossicle_sound_facts` says of a sound through a response.
private struct PlayedFacts: Encodable { let gain: Double }

@c @implementation
public func ossicle_sound_play(
    _ dry: OpaquePointer?, _ response: OpaquePointer?, _ sound: HandlePlace?, _ error: ErrorPlace?
) -> Int32 {
    make(sound, error, "sound") {
        let dry = try Handles.object(dry, Sound.self, "dry")
        let response = try Handles.object(response, Sound.self, "response")
        guard dry.rate == response.rate else {
            throw Fault(
                "dry", "has \(dry.rate) Hz", rule: "it has the response's rate, \(response.rate) Hz",
                cure: "convert it, or compute the response at its rate")
        }
        try Sound.check(
            seconds: Double(dry.frames + response.frames) / Double(dry.rate), rate: dry.rate,
            channels: response.channels)
        let share = 1 / Float(max(dry.channels, 1))
        var mixed = [Float](repeating: 0, count: dry.frames)
        for plane in dry.planes { for frame in mixed.indices { mixed[frame] += plane[frame] * share } }
        let played = try PlayedSound(
            mixed, through: [ImpulseResponse(sampleRate: Double(response.rate), channels: response.planes)])
        return Sound(played.sounds[0], rate: dry.rate, facts: PlayedFacts(gain: played.gain))
    }
}
