// Sequences played by an engine.

import OssicleAudioToolbox
import OssicleMIDI
import OssicleMessages

/// Plays tracks of events by the frames of an engine: every event falls on the frame nearest to its time, at a device
/// and offline, however the engine's render calls are cut.
///
/// What the client changes is heard from the next render call on; at a device edits of tracks and their settings take
/// up to 5 ms more. Any thread but the render thread.
open class AVAudioSequencer: NSObject {
    let sequence = MIDISequence()
    private let player: SequencePlayer
    private(set) weak var engine: AVAudioEngine?
    private let own = ErrorLog()
    private let lock = NSLock()
    // Under the lock.
    private var wrappers: [ObjectIdentifier: AVMusicTrack] = [:]

    /// A sequencer for MIDI endpoints only, by the machine's clock.
    public override init() {
        player = SequencePlayer()
        super.init()
        player.sequence = sequence
    }

    /// A sequencer whose tracks are played by units of an engine, which it does not keep alive.
    public init(audioEngine engine: AVAudioEngine) {
        player = SequencePlayer(host: engine.machine.sequences)
        self.engine = engine
        super.init()
        player.sequence = sequence
    }

    deinit { player.sequence = nil }

    /// Where errors go that a call could not throw.
    var errors: ErrorLog { engine?.machine.errors ?? own }

    // MARK: Files

    /// Reads a standard MIDI file in place of what there is. Not while it plays.
    open func load(from fileURL: URL, options: AVMusicSequenceLoadOptions = []) throws {
        guard let path = fileURL.localPath, !path.isEmpty else {
            throw OssicleError.avfaudio(
                kAudio_BadFilePathError, "AVAudioSequencer", value: "\(fileURL)", rule: "A MIDI file is on disk.",
                cure: "Use a file URL, or load(from: Data).")
        }
        try take(options) { () throws(MIDIFileError) in try MIDIFile(path: path) }
    }

    /// Reads a standard MIDI file from memory in place of what there is. Not while it plays.
    open func load(from data: Data, options: AVMusicSequenceLoadOptions = []) throws {
        try take(options) { () throws(MIDIFileError) in try MIDIFile(reading: Array(data), named: "data") }
    }

    private func take(_ options: AVMusicSequenceLoadOptions, _ read: () throws(MIDIFileError) -> MIDIFile) throws {
        guard !isPlaying else {
            throw OssicleError.avfaudio(
                kAudioToolboxErr_InvalidPlayerState, "AVAudioSequencer", value: "a file while it plays",
                rule: "A sequence is replaced while its sequencer is stopped.", cure: "Call stop() first.")
        }
        do {
            let file = try read()
            sequence.replaceContents(
                by: MIDISequence(file, channelsToTracks: options.contains(.smf_ChannelsToTracks)))
        } catch { throw OssicleError(error) }
        currentPositionInBeats = 0
    }

    /// Writes a standard MIDI file of format 1.
    /// - Parameters:
    ///   - fileURL: address of the file.
    ///   - resolution: ticks of a beat, 1 … 32,767, or what `MusicSequenceSetSMPTEResolution` gives; 0 for the tempo
    ///     track's.
    ///   - replace: whether a file that is there is replaced; else it is an error.
    open func write(to fileURL: URL, smpteResolution resolution: Int, replaceExisting replace: Bool) throws {
        guard let path = fileURL.localPath, !path.isEmpty else {
            throw OssicleError.avfaudio(
                kAudio_BadFilePathError, "AVAudioSequencer", value: "\(fileURL)", rule: "A MIDI file is on disk.",
                cure: "Use a file URL.")
        }
        let file = try file(resolution)
        do { try file.write(to: path, replacing: replace) } catch { throw OssicleError(error) }
    }

    /// A standard MIDI file of format 1; no bytes where the resolution is none.
    open func data(withSMPTEResolution SMPTEResolution: Int, error outError: NSErrorPointer) -> Data {
        do { return Data(try file(SMPTEResolution).bytes) } catch {
            outError?.pointee = error as NSError
            return Data()
        }
    }

    private func file(_ resolution: Int) throws -> MIDIFile {
        if resolution == 0 { return sequence.file() }
        guard let word = Int16(exactly: resolution), let division = MIDIFile.Division(resolution: word) else {
            throw OssicleError.avfaudio(
                kAudio_ParamError, "AVAudioSequencer", value: "a resolution of \(resolution)",
                rule: "A resolution is 1 to 32,767 ticks of a beat, or SMPTE time of 24, 25, 29 or 30 frames.",
                cure: "480 is usual; 0 takes the tempo track's.")
        }
        return sequence.file(division: division)
    }

    // MARK: Tracks

    /// All tracks but the tempo track.
    open var tracks: [AVMusicTrack] { sequence.tracks.map { wrapper(of: $0) } }

    /// Tempi, time signatures and other meta events.
    open var tempoTrack: AVMusicTrack { wrapper(of: sequence.tempoTrack) }

    /// Adds an empty track behind the others.
    @discardableResult
    open func createAndAppendTrack() -> AVMusicTrack { wrapper(of: sequence.addTrack()) }

    /// Takes a track out; false if it is not here.
    @discardableResult
    open func removeTrack(_ track: AVMusicTrack) -> Bool { sequence.remove(track.track) }

    /// One object for each track, as long as that is here.
    private func wrapper(of track: MIDITrack) -> AVMusicTrack {
        let present = sequence.tracks
        return lock.withLock {
            wrappers = wrappers.filter { entry in
                entry.value.track === sequence.tempoTrack || present.contains { $0 === entry.value.track }
            }
            if let known = wrappers[ObjectIdentifier(track)] { return known }
            let made = AVMusicTrack(track, of: self)
            wrappers[ObjectIdentifier(track)] = made
            return made
        }
    }

    /// Turns the music around, tempi included.
    open func reverseEvents() { sequence.reverse() }

    /// Has a block called for every user event that is played, on a queue of Ossicle's own; `nil` for none. Offline a
    /// render call waits for those of the call before.
    open func setUserCallback(_ userCallback: AVAudioSequencerUserCallback?) {
        guard let userCallback else {
            sequence.userCallback = nil
            return
        }
        nonisolated(unsafe) let callback = userCallback
        nonisolated(unsafe) weak let sequencer = self
        sequence.userCallback = { track, bytes, beat, _ in
            guard let sequencer else { return }
            callback(sequencer.wrapper(of: track), Data(bytes), beat)
        }
    }

    /// Title, tempo, length and the like; the keys are those of `InfoDictionaryKey`.
    open var userInfo: [String: Any] {
        Dictionary(
            SequenceInfo(sequence).texts.map { ($0.key, $0.value as Any) }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: Time

    /// Seconds of a beat, by the tempo track.
    open func seconds(forBeats beats: AVMusicTimeStamp) -> TimeInterval { sequence.tempoMap.seconds(at: beats) }

    /// The beat at a time in seconds, by the tempo track.
    open func beats(forSeconds seconds: TimeInterval) -> AVMusicTimeStamp { sequence.tempoMap.beat(at: seconds) }

    /// Seconds of the sequence at its own tempo. Setting it jumps, also while it plays.
    open var currentPositionInSeconds: TimeInterval {
        get { player.seconds }
        set { player.seconds = newValue }
    }

    /// The beat it is at. Setting it jumps, also while it plays.
    open var currentPositionInBeats: TimeInterval {
        get { player.beat }
        set { player.beat = newValue }
    }

    /// The host time at which a beat is played, while it plays; else 0 and an error.
    open func hostTime(forBeats inBeats: AVMusicTimeStamp, error outError: NSErrorPointer) -> UInt64 {
        player.hostTime(of: inBeats) ?? refuse(outError, 0)
    }

    /// The beat that is played at a host time, while it plays; else 0 and an error.
    open func beats(forHostTime inHostTime: UInt64, error outError: NSErrorPointer) -> AVMusicTimeStamp {
        player.beat(at: inHostTime) ?? refuse(outError, 0)
    }

    private func refuse<Value>(_ outError: NSErrorPointer, _ value: Value) -> Value {
        outError?.pointee = OssicleError.avfaudio(
            kAudioToolboxErr_InvalidPlayerState, "AVAudioSequencer", value: "a host time while it does not play",
            rule: "Beats have host times while the sequencer plays.", cure: "Call start() first.")
        return value
    }

    // MARK: Playing

    /// Whether it was started and not stopped since, also behind the last event.
    open var isPlaying: Bool { player.isPlaying }

    /// How much faster than the tempo track it plays, above 0; other values are recorded. Default 1.
    open var rate: Float {
        get { Float(player.rate) }
        set {
            guard newValue > 0, newValue.isFinite else {
                errors.record(
                    OssicleError.avfaudio(
                        kAudio_ParamError, "AVAudioSequencer", value: "rate \(newValue)",
                        rule: "A rate is a number above 0.", cure: "Use stop() to halt it."))
                return
            }
            player.rate = Double(newValue)
        }
    }

    /// Makes ready what `start` would otherwise make.
    open func prepareToPlay() { player.prepare() }

    /// Plays from the position it is at, with the frame the engine renders next. It advances while the engine runs.
    /// Starting twice does nothing.
    open func start() throws {
        do { try player.start() } catch { throw OssicleError(error) }
    }

    /// Ends what sounds and keeps the position.
    open func stop() { player.stop() }
}

extension AVAudioSequencer {
    /// Keys of `userInfo`.
    public struct InfoDictionaryKey: RawRepresentable, Hashable, Sendable {
        /// The key.
        public let rawValue: String
        /// A key by its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Album.
        public static let album = InfoDictionaryKey(rawValue: kAFInfoDictionary_Album)
        /// Length in seconds.
        public static let approximateDurationInSeconds = InfoDictionaryKey(
            rawValue: kAFInfoDictionary_ApproximateDurationInSeconds)
        /// Who performs it.
        public static let artist = InfoDictionaryKey(rawValue: kAFInfoDictionary_Artist)
        /// Layout of the channels.
        public static let channelLayout = InfoDictionaryKey(rawValue: kAFInfoDictionary_ChannelLayout)
        /// Any text.
        public static let comments = InfoDictionaryKey(rawValue: kAFInfoDictionary_Comments)
        /// Who composed it.
        public static let composer = InfoDictionaryKey(rawValue: kAFInfoDictionary_Composer)
        /// The rights.
        public static let copyright = InfoDictionaryKey(rawValue: kAFInfoDictionary_Copyright)
        /// The program that encoded it.
        public static let encodingApplication = InfoDictionaryKey(rawValue: kAFInfoDictionary_EncodingApplication)
        /// Genre.
        public static let genre = InfoDictionaryKey(rawValue: kAFInfoDictionary_Genre)
        /// International Standard Recording Code.
        public static let isrc = InfoDictionaryKey(rawValue: kAFInfoDictionary_ISRC)
        /// Key, such as "Eb minor".
        public static let keySignature = InfoDictionaryKey(rawValue: kAFInfoDictionary_KeySignature)
        /// Who wrote the words.
        public static let lyricist = InfoDictionaryKey(rawValue: kAFInfoDictionary_Lyricist)
        /// Bits per second.
        public static let nominalBitRate = InfoDictionaryKey(rawValue: kAFInfoDictionary_NominalBitRate)
        /// When it was recorded.
        public static let recordedDate = InfoDictionaryKey(rawValue: kAFInfoDictionary_RecordedDate)
        /// Bits of a sample.
        public static let sourceBitDepth = InfoDictionaryKey(rawValue: kAFInfoDictionary_SourceBitDepth)
        /// What encoded the source.
        public static let sourceEncoder = InfoDictionaryKey(rawValue: kAFInfoDictionary_SourceEncoder)
        /// Second title.
        public static let subTitle = InfoDictionaryKey(rawValue: kAFInfoDictionary_SubTitle)
        /// Beats per minute.
        public static let tempo = InfoDictionaryKey(rawValue: kAFInfoDictionary_Tempo)
        /// Time signature, such as "6/8".
        public static let timeSignature = InfoDictionaryKey(rawValue: kAFInfoDictionary_TimeSignature)
        /// Title.
        public static let title = InfoDictionaryKey(rawValue: kAFInfoDictionary_Title)
        /// Number of the track.
        public static let trackNumber = InfoDictionaryKey(rawValue: kAFInfoDictionary_TrackNumber)
        /// Year.
        public static let year = InfoDictionaryKey(rawValue: kAFInfoDictionary_Year)
    }
}
