// MIDI files, played with a bank of sounds.

import OssicleInstruments
import OssicleMIDI

/// What a MIDI player calls when it has reached the end, or was stopped.
public typealias AVMIDIPlayerCompletionHandler = @Sendable () -> Void

/// Plays a standard MIDI file with the sounds of a SoundFont or DLS bank, at the default output or where an
/// `OfflineAudioDevice` was in force when it was made. Any thread.
open class AVMIDIPlayer: NSObject {
    let voice: MIDIFileVoice

    /// A player of a file.
    ///
    /// - Parameters:
    ///   - inURL: a standard MIDI file.
    ///   - bankURL: a .sf2, .sf3 or .dls file; `nil` for the machine's, which is looked for where Debian puts it.
    /// - Throws: that the file or the bank cannot be read, or that there is no bank.
    public init(contentsOf inURL: URL, soundBankURL bankURL: URL?) throws {
        voice = try MIDIFileVoice(
            try Self.path(inURL, "AVMIDIPlayer"), try bankURL.map { try Self.path($0, "AVMIDIPlayer") })
        super.init()
    }

    /// A player of a file in memory; as `init(contentsOf:soundBankURL:)`.
    public init(data: Data, soundBankURL bankURL: URL?) throws {
        voice = try MIDIFileVoice(Array(data), try bankURL.map { try Self.path($0, "AVMIDIPlayer") })
        super.init()
    }

    deinit { voice.end() }

    private static func path(_ url: URL, _ object: String) throws -> String {
        guard let path = url.localPath, !path.isEmpty else {
            throw OssicleError.avfaudio(
                kAudio_BadFilePathError, object, value: "\(url)", rule: "Music and sounds are on disk.",
                cure: "Use a file URL, or init(data:soundBankURL:).")
        }
        return path
    }

    /// Opens the output, so that `play` begins at once.
    open func prepareToPlay() { voice.prepare() }

    /// Plays from where it stands.
    ///
    /// - Parameter completionHandler: called once, when the end is reached or it is stopped; on the main queue or,
    ///   offline, on the thread that renders.
    open func play(_ completionHandler: AVMIDIPlayerCompletionHandler? = nil) { voice.play(completionHandler) }

    /// Plays from where it stands, and returns at the end or when it is stopped.
    open func play() async { await withCheckedContinuation { done in voice.play { done.resume() } } }

    /// Ends what sounds, and keeps the position.
    open func stop() { voice.stop() }

    /// Seconds, at the file's own tempo.
    open var duration: TimeInterval { voice.duration }

    /// Whether it plays.
    open var isPlaying: Bool { voice.isPlaying }

    /// How much faster than the file's tempo it plays, above 0; other values are recorded and change nothing. Default
    /// 1.
    open var rate: Float {
        get { Float(voice.rate) }
        set { voice.setRate(newValue) }
    }

    /// Seconds of the file. Setting it jumps, also while it plays; it is not held within the file.
    open var currentPosition: TimeInterval {
        get { voice.position }
        set { voice.position = newValue }
    }
}
