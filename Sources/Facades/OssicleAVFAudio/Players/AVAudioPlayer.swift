// Playing one file.

import OssicleCoreAudioTypes

/// Plays a sound file, or the bytes of one, without an engine of the client's.
///
/// All players of a process share one output, which opens with the first that is prepared or plays and closes when the
/// last was stopped or let go; so `deviceCurrentTime` is one clock, and `play(atTime:)` with one time starts several
/// players on the same frame. Calls may come from any thread, one at a time; none waits for the render side. What
/// cannot be done is answered with false and kept in `lastError`. A player that is let go stops.
open class AVAudioPlayer: NSObject {
    let voice: PlayerVoice

    /// The file it plays; `nil` where it plays data.
    public let url: URL?
    /// The bytes it plays; `nil` where it plays a file.
    public let data: Data?
    /// Receives the end and damage, on the main queue.
    open weak var delegate: (any AVAudioPlayerDelegate)?

    private init(_ source: PlayerSource, url: URL?, data: Data?) {
        voice = PlayerVoice(source, output: OfflineAudioDevice.inForce?.shared ?? .output)
        self.url = url
        self.data = data
        super.init()
        voice.player = self
    }

    deinit { voice.end() }

    /// A player for a file. Throws what is wrong with it.
    public convenience init(contentsOf url: URL) throws {
        self.init(try PlayerSource(contentsOf: url), url: url, data: nil)
    }

    /// A player for the bytes of a file. Throws what is wrong with them.
    public convenience init(data: Data) throws {
        self.init(try PlayerSource(data: data), url: nil, data: data)
    }

    /// A player for a file. The content decides what kind of file it is; the hint is ignored.
    public convenience init(contentsOf url: URL, fileTypeHint utiString: String?) throws {
        try self.init(contentsOf: url)
    }

    /// A player for the bytes of a file. The content decides what kind of file it is; the hint is ignored.
    public convenience init(data: Data, fileTypeHint utiString: String?) throws { try self.init(data: data) }

    // MARK: Playing

    /// Opens the output and decodes the beginning, so that `play` begins soon. False if that is not possible.
    @discardableResult
    open func prepareToPlay() -> Bool { voice.attempt { try voice.prepare() } }

    /// Plays from `currentTime` on, as soon as possible. True also if it already plays.
    @discardableResult
    open func play() -> Bool { voice.attempt { try voice.play(at: nil) } }

    /// Plays from a time of `deviceCurrentTime` on, on its frame; a time that has passed means as soon as possible.
    /// False for a time that is not finite. Where `rate` is not 1, the speed is reached with the first frames.
    @discardableResult
    open func play(atTime time: TimeInterval) -> Bool {
        voice.attempt {
            guard time.isFinite else { throw AudioPlayerFault.notFinite("play(atTime: \(time))") }
            try voice.play(at: time)
        }
    }

    /// Stands still with the next frame and keeps the output; `play` goes on.
    open func pause() { voice.pause() }

    /// Stands still and lets go of the output. `currentTime` stays, and `play` goes on from there.
    open func stop() { voice.stop() }

    /// Requested to play, and neither paused, stopped nor at its end since; also while it waits for its start.
    open var isPlaying: Bool { voice.lock.withLock { voice.phase == .playing } }

    // MARK: What it plays

    /// Channels of the file.
    open var numberOfChannels: Int { Int(voice.source.format.channelCount) }

    /// Length of the file in seconds, loops and rate left out of account.
    open var duration: TimeInterval { Double(voice.source.length) / voice.source.format.sampleRate }

    /// The file's format as a settings dictionary.
    open var settings: [String: Any] { format.settings }

    /// The file's format.
    open var format: AVAudioFormat { voice.source.fileFormat }

    // MARK: Time

    /// Seconds from the file's beginning to the frame that comes next. Setting it seeks, clamped to the file; what
    /// plays continues there within some 50 ms. 0 after the end.
    open var currentTime: TimeInterval {
        get { Double(voice.lock.withLock { voice.position }) / voice.source.format.sampleRate }
        set {
            voice.attempt {
                guard !newValue.isNaN else { throw AudioPlayerFault.notFinite("currentTime \(newValue)") }
                let frame = (newValue * voice.source.format.sampleRate).rounded()
                try voice.seek(to: Int64(min(max(frame, 0), Double(voice.source.length))))
            }
        }
    }

    /// Time of the output's next frame in seconds, the same for all players. It runs while the output does, stands
    /// still in between and never goes back.
    open var deviceCurrentTime: TimeInterval { voice.output.currentTime }

    /// How often the file is played again; negative for without end. Default 0. While it plays, counted from the pass
    /// that runs. Passes follow each other on their frames.
    open var numberOfLoops: Int {
        get { voice.current.numberOfLoops }
        set { voice.attempt { try voice.setLoops(newValue) } }
    }

    /// Whether `rate` is heard. Default false; takes effect when playing begins the next time.
    open var enableRate: Bool {
        get { voice.current.enableRate }
        set { voice.setRateEnabled(newValue) }
    }

    /// Speed, 0.5 … 2; the pitch stays. Default 1. Heard with `enableRate`.
    open var rate: Float {
        get { voice.current.rate }
        set { voice.attempt { voice.setRate(try AudioPlayerFault.checked(newValue, 0.5...2, "rate")) } }
    }

    // MARK: Level

    /// −1 (left) … 1 (right); default 0. As in `AVAudioMixerNode`: the farther side is lowered by cos(|pan| π/2).
    open var pan: Float {
        get { voice.current.pan }
        set { voice.attempt { voice.setPan(try AudioPlayerFault.checked(newValue, -1...1, "pan")) } }
    }

    /// Gain, 0 … 1; default 1. While a fade runs, its value of this moment.
    open var volume: Float {
        get { voice.current.volume }
        set { setVolume(newValue, fadeDuration: 0) }
    }

    /// Leads the gain to `volume`, 0 … 1, in a straight line over `duration` seconds of the output's time; at once
    /// where that is not positive, and while it does not play.
    open func setVolume(_ volume: Float, fadeDuration duration: TimeInterval) {
        voice.attempt {
            voice.setVolume(try AudioPlayerFault.checked(volume, 0...1, "volume"), over: duration)
        }
    }

    /// Whether levels are measured. Default false.
    open var isMeteringEnabled: Bool {
        get { voice.meter.isEnabled }
        set { voice.setMetering(newValue) }
    }

    /// Takes over the levels of the latest tenth of a second, for the two calls below.
    open func updateMeters() { voice.meter.update() }

    /// The largest magnitude of a channel of the file in dBFS, −160 … 0, ahead of volume and pan.
    @discardableResult
    open func peakPower(forChannel channelNumber: Int) -> Float { voice.meter.peak(channelNumber) }

    /// The RMS level of a channel of the file in dBFS, −160 … 0, ahead of volume and pan; −3.01 for a full-scale sine.
    @discardableResult
    open func averagePower(forChannel channelNumber: Int) -> Float { voice.meter.average(channelNumber) }

    // MARK: Devices

    /// Identifier or name of the output it plays to, as `AVAudioSessionPortDescription.uid` and `ossicle devices` give
    /// it; `nil`, the default, for the default output. What plays moves there. Where there is no such output, playing
    /// fails with an error that names those there are. Players at different outputs share no clock, and one that is
    /// made while an `OfflineAudioDevice` is in force stays there.
    open var currentDevice: String? {
        get { voice.lock.withLock { voice.controls.device } }
        set {
            voice.lock.withLock { voice.controls.device = newValue }
            voice.attempt { try voice.move(to: .output(at: newValue)) }
        }
    }

    /// For each channel of the file the channel of the output's port that it goes to, by its number; `nil`, the
    /// default, for where the layouts say. Any other count than `numberOfChannels` is refused.
    open var channelAssignments: [AVAudioSessionChannelDescription]? {
        get { voice.current.assignments }
        set { voice.attempt { try voice.setAssignments(newValue) } }
    }
}

extension PlayerVoice {
    /// Runs a call that cannot throw; an error is recorded.
    @discardableResult
    fileprivate func attempt(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return true
        } catch {
            errors.record(error)
            return false
        }
    }
}

/// What can be wrong with a call to a player.
enum AudioPlayerFault {
    static func notFinite(_ value: String) -> OssicleError {
        .avfaudio(
            kAudio_ParamError, "AVAudioPlayer", value: value, rule: "Times and levels are finite numbers.",
            cure: "Check the computation it comes from; nothing was changed.")
    }

    static func assignments(_ count: Int, channels: Int) -> OssicleError {
        .avfaudio(
            kAudio_ParamError, "AVAudioPlayer", value: "\(count) channel assignments",
            rule: "Each of the file's \(channels) channels has one.", cure: "Give \(channels), or nil.")
    }

    /// `value` moved into `range`; throws where it is not a number.
    static func checked(_ value: Float, _ range: ClosedRange<Float>, _ name: String) throws -> Float {
        guard !value.isNaN else { throw notFinite("\(name) \(value)") }
        return min(max(value, range.lowerBound), range.upperBound)
    }
}

/// Receives what becomes of a player: on the main queue, or where `OfflineAudioDevice` renders it on the thread that
/// renders. Every method may be left out.
public protocol AVAudioPlayerDelegate: NSObjectProtocol {
    /// The sound has come to its end, its loops included; not after `stop()` or `pause()`. `flag` is false where the
    /// file broke off.
    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)
    /// The file could not be decoded any further; `audioPlayerDidFinishPlaying` follows.
    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)
    /// The session was interrupted, and the player paused. Apple has deprecated it for the session's notifications.
    func audioPlayerBeginInterruption(_ player: AVAudioPlayer)
    /// The interruption is over; `flags` is 1 where playing may go on. Apple has deprecated it for the session's
    /// notifications.
    func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int)
}

extension AVAudioPlayerDelegate {
    public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}
    public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}
    public func audioPlayerBeginInterruption(_ player: AVAudioPlayer) {}
    public func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int) {}
}
