// The control side of an AVAudioPlayer.

import OssicleCoreAudioTypes
import OssicleMessages
import OssiclePlayback
import Synchronization

/// Plays a file in a shared engine: what is scheduled, where it stands, and what is to be reported. Any thread; the
/// lock is never held while code of the client's runs.
final class PlayerVoice: @unchecked Sendable {
    enum Phase { case stopped, paused, playing }

    let source: PlayerSource
    private let place: Mutex<SharedEngine>
    let meter = LevelMeter()
    let errors = ErrorLog()
    /// The player in the client's hands; set once, before anybody else knows the voice.
    weak var player: AVAudioPlayer?

    let lock = NSRecursiveLock()

    // Under the lock.
    var phase = Phase.stopped
    var controls = PlayerControls()
    var chain: PlayerChain?
    var timeline = PlayerTimeline()
    /// The file's frame where it stands while it does not play, or stood last.
    var rest: Int64 = 0
    var fade: VolumeFade?
    /// What was scheduled last, and how many there were.
    private var stream: FileStream?
    private var streamNumber = 0

    init(_ source: PlayerSource, output: SharedEngine) {
        self.source = source
        place = Mutex(output)
    }

    /// Where it plays.
    var output: SharedEngine { place.withLock { $0 } }

    /// Moves to another output; what plays goes on there. One that renders offline stays where it is.
    func move(to output: SharedEngine) throws {
        let old = self.output
        guard !old.isOffline, old !== output else { return }
        let wasPlaying = lock.withLock {
            rest = position
            defer { phase = phase == .stopped ? .stopped : .paused }
            dropChain()
            return phase == .playing
        }
        old.leave(self)
        place.withLock { $0 = output }
        if wasPlaying { try play(at: nil) }
    }

    /// The player is gone.
    func end() {
        lock.withLock {
            phase = .stopped
            dropChain()
        }
        output.leave(self)
    }

    private var rate: Double { source.format.sampleRate }

    // MARK: Playing

    /// Opens the output and decodes the beginning.
    func prepare() throws {
        try lock.withLock {
            if phase == .stopped { try makeReady(steady: false) }
        }
    }

    /// Plays from where it stands, at a frame of the engine or as soon as possible. What plays continues.
    func play(at time: TimeInterval?) throws {
        try lock.withLock {
            if phase == .playing { return }
            let frame = time.map { output.frame(at: $0) }
            try makeReady(steady: frame != nil)
            let (next, engineRate) = output.now
            if let chain, let frame, frame > next, controls.rate != 1 {
                chain.setSpeed(1)
                chain.setSpeed(controls.rate, from: frame)
            } else {
                chain?.setSpeed(controls.rate)
            }
            phase = .playing
            chain?.play(at: frame, rate: engineRate)
        }
    }

    /// Stands still with the next frame and stays ready.
    func pause() {
        lock.withLock {
            guard phase == .playing else { return }
            rest = position
            phase = .paused
            chain?.node.pause()
            meter.clear()
        }
    }

    /// Stands still with the next frame and lets go of the output.
    func stop() {
        lock.withLock {
            rest = position
            phase = .stopped
            dropChain()
        }
        output.leave(self)
    }

    /// Nodes in a running engine, with the file from where it stands scheduled and, at a device, its beginning decoded.
    /// - Parameter steady: the node's frames have to lie where the engine's time lies.
    private func makeReady(steady: Bool) throws {
        if let chain, chain.stretches != controls.enableRate || (steady && !chain.isSteady) { dropChain() }
        do {
            try output.join(self) { engine in
                if chain == nil { chain = try makeChain(in: engine) }
            }
        } catch {
            // The next attempt may find another engine.
            dropChain()
            throw error
        }
        if timeline.isEmpty { try schedule(from: rest, at: nil, isJump: true) }
        if !output.isOffline { stream?.fill(ahead: Int(rate / 4)) }
    }

    private func makeChain(in engine: AVAudioEngine) throws -> PlayerChain {
        let made = try PlayerChain(
            in: engine, mixer: output.mixer(rate, in: engine), format: source.format, stretches: controls.enableRate)
        (made.node.volume, made.node.pan) = (controls.volume, controls.pan)
        if let outputs = controls.outputs { made.assign(outputs) }
        timeline.removeAll()
        measure(made)
        return made
    }

    /// Has the meter listen to the file's channels, ahead of speed, volume and pan.
    func measure(_ chain: PlayerChain) {
        chain.node.removeTap(onBus: 0)
        guard meter.isEnabled else { return }
        chain.node.installTap(onBus: 0, bufferSize: AVAudioFrameCount(rate / 50), format: nil) { [meter] buffer, _ in
            meter.add(buffer)
        }
    }

    func dropChain() {
        chain?.detach()
        chain = nil
        stream = nil
        streamNumber += 1
        timeline.removeAll()
        endFade()
        meter.clear()
    }

    // MARK: The file

    /// The file's frame that comes next.
    var position: Int64 {
        guard phase == .playing, let time = chain?.playerTime else { return rest }
        return timeline.fileFrame(at: time, length: source.length) ?? rest
    }

    /// The player time from which on something else can be scheduled in time, with the file decoded.
    var soon: Int64? {
        guard phase == .playing, let time = chain?.playerTime else { return nil }
        return max(time, 0) + (output.isOffline ? 0 : Int64(rate / 20))
    }

    /// Plays the file from `frame` on, with all its passes.
    /// - Parameter time: player time at which it takes the place of what plays; `nil` for behind what is scheduled.
    func schedule(from frame: Int64, at time: Int64?, isJump: Bool) throws {
        let made = try source.stream(from: frame, repeats: controls.repeats)
        if !output.isOffline { made.fill(ahead: Int(rate / 4)) }
        streamNumber += 1
        let number = streamNumber
        timeline.add(at: time ?? 0, fileFrame: frame, count: made.source.frameCount, isJump: isJump)
        stream = made
        chain?.schedule(
            made, at: time,
            completion: SegmentCompletion(waitsUntilHeard: !output.isOffline) { [weak self] outcome in
                if outcome == .finished { self?.finish(number) }
            })
    }

    /// Continues at another frame.
    func seek(to frame: Int64) throws {
        try lock.withLock {
            rest = min(max(frame, 0), source.length)
            if let soon { return try schedule(from: rest, at: soon, isJump: true) }
            guard let chain else { return }
            // Nothing of it has sounded, or it is paused: what is scheduled is replaced.
            let wasPlaying = phase == .playing
            chain.node.stop()
            timeline.removeAll()
            try schedule(from: rest, at: nil, isJump: true)
            if wasPlaying { chain.play(at: nil, rate: rate) }
        }
    }

    // MARK: The end

    /// A stream has come to its end.
    private func finish(_ number: Int) {
        let error: (any Error)? = lock.withLock {
            number == streamNumber ? stream?.breakOff.map { OssicleError($0.error) } : nil
        }
        finish(number, error)
    }

    private func finish(_ number: Int, _ error: (any Error)?) {
        let isOver = lock.withLock {
            guard number == streamNumber, phase == .playing else { return false }
            (phase, rest, stream) = (.stopped, 0, nil)
            chain?.node.stop()
            timeline.removeAll()
            streamNumber += 1
            endFade()
            meter.clear()
            return true
        }
        guard isOver else { return }
        if let error { errors.last = error }
        tell { player, delegate in
            if let error { delegate.audioPlayerDecodeErrorDidOccur(player, error: error) }
            delegate.audioPlayerDidFinishPlaying(player, successfully: error == nil)
        }
    }

    /// Has the delegate called. Not under the lock.
    func tell(_ call: @escaping @Sendable (AVAudioPlayer, any AVAudioPlayerDelegate) -> Void) {
        output.deliver { [weak self] in
            guard let player = self?.player, let delegate = player.delegate else { return }
            call(player, delegate)
        }
    }

    /// Ends where the file has broken off: what would follow is silence.
    func endIfBrokenOff() {
        let found: (Int, any Error)? = lock.withLock {
            guard phase == .playing, let broken = stream?.breakOff, let time = chain?.playerTime,
                time - timeline.lastStart >= broken.soundFrames
            else { return nil }
            return (streamNumber, OssicleError(broken.error))
        }
        if let (number, error) = found { finish(number, error) }
    }
}
