// The control side of an AVMIDIPlayer.

import OssicleAudioToolbox
import OssicleInstruments
import OssicleMIDI
import OssicleMessages
import OssicleNodes

/// A sequence and a synthesiser in a shared engine. Any thread; the lock is never held while code of the client's runs.
final class MIDIFileVoice: @unchecked Sendable {
    private let sequence: MIDISequence
    private let bank: String
    /// Kept, so that playing again need not read it again.
    private let instrument: Instrument
    private let output: SharedEngine
    private let errors = ErrorLog()
    private let lock = NSLock()

    // Under the lock.
    private var chain: (node: AVAudioUnitMIDIInstrument, player: SequencePlayer)?
    private var isStarted = false
    private var speed = 1.0
    /// Seconds where it stands while there is no player.
    private var rest = 0.0
    private var completion: AVMIDIPlayerCompletionHandler?
    private var hasEffects = true

    convenience init(_ path: String, _ bank: String?) throws {
        do { try self.init(try MIDIFile(path: path), bank) } catch let error as MIDIFileError {
            throw OssicleError(error)
        }
    }

    convenience init(_ bytes: [UInt8], _ bank: String?) throws {
        do { try self.init(try MIDIFile(reading: bytes, named: "data"), bank) } catch let error as MIDIFileError {
            throw OssicleError(error)
        }
    }

    private init(_ file: MIDIFile, _ bank: String?) throws {
        guard let path = bank ?? StandardBank.path else { throw OssicleError(StandardBank.missing) }
        do { instrument = try InstrumentLibrary.shared.bank(path: path) } catch { throw OssicleError(error) }
        (sequence, self.bank) = (MIDISequence(file), path)
        output = OfflineAudioDevice.inForce?.shared ?? .output
    }

    func end() {
        lock.withLock { dropChain() }
        output.leave(self)
    }

    /// Seconds at the file's tempo.
    var duration: TimeInterval { sequence.tempoMap.seconds(at: sequence.length) }
    var isPlaying: Bool { lock.withLock { isStarted } }
    var rate: Double { lock.withLock { speed } }

    func setRate(_ rate: Float) {
        guard rate > 0, rate.isFinite else {
            return errors.record(
                OssicleError.avfaudio(
                    kAudio_ParamError, "AVMIDIPlayer", value: "rate \(rate)", rule: "A rate is a number above 0.",
                    cure: "Use stop() to halt it."))
        }
        lock.withLock {
            speed = Double(rate)
            chain?.player.rate = speed
        }
    }

    var rendersEffects: Bool {
        get { lock.withLock { hasEffects } }
        set {
            lock.withLock {
                hasEffects = newValue
                chain?.node.rendersEffects = newValue
            }
        }
    }

    var position: TimeInterval {
        get { lock.withLock { chain?.player.seconds ?? rest } }
        set {
            guard newValue.isFinite else { return }
            lock.withLock {
                rest = max(newValue, 0)
                chain?.player.seconds = rest
            }
        }
    }

    func prepare() {
        do { try makeReady() } catch { errors.record(error) }
    }

    func play(_ handler: AVMIDIPlayerCompletionHandler?) {
        do {
            try makeReady()
            try lock.withLock {
                guard let chain else { return }
                if !isStarted { chain.player.seconds = rest }
                chain.player.rate = speed
                try chain.player.start()
                isStarted = true
            }
        } catch {
            errors.record(error)
            if let handler { output.deliver(handler) }
            return
        }
        let old = lock.withLock {
            defer { completion = handler }
            return completion
        }
        if let old { output.deliver(old) }
    }

    func stop() {
        let done = lock.withLock {
            let handler = isStarted ? completion : nil
            if isStarted { completion = nil }
            isStarted = false
            dropChain()
            return handler
        }
        output.leave(self)
        if let done { output.deliver(done) }
    }

    /// Nodes in a running engine.
    private func makeReady() throws {
        try output.join(self) { engine in
            try lock.withLock {
                if chain == nil { chain = try makeChain(in: engine) }
            }
        }
    }

    private func makeChain(in engine: AVAudioEngine) throws -> (AVAudioUnitMIDIInstrument, SequencePlayer) {
        let node = AVAudioUnitMIDIInstrument(audioComponentDescription: InstrumentUnits.midiSynth.component)
        try (node.auAudioUnit.body as? InstrumentBody)?.load(.bank(path: bank, program: nil))
        node.rendersEffects = hasEffects
        engine.attach(node)
        let format = engine.mainMixerNode.outputFormat(forBus: 0)
        do {
            let stereo = AVAudioFormat(standardFormatWithSampleRate: format.sampleRate, channels: 2)
            try engine.connectNode(node, to: engine.mainMixerNode, format: stereo)
        } catch {
            engine.detach(node)
            throw error
        }
        for track in sequence.tracks { track.set(\.destination, node.trackDestination) }
        let player = SequencePlayer(host: engine.machine.sequences)
        player.sequence = sequence
        player.prepare()
        return (node, player)
    }

    /// Under the lock.
    private func dropChain() {
        guard let chain else { return }
        rest = chain.player.seconds
        chain.player.stop()
        chain.player.sequence = nil
        chain.node.engine?.detach(chain.node)
        self.chain = nil
    }
}

extension MIDIFileVoice: SharedEngineMember {
    /// Frames of the engine until the end, while it plays.
    private func framesLeft(_ rate: Double) -> Double? {
        lock.withLock {
            guard isStarted, let chain else { return nil }
            return (duration - chain.player.seconds) / speed * rate
        }
    }

    func tick(at frame: Int64) {
        guard let left = framesLeft(output.now.rate), left <= 0 else { return }
        let handler = lock.withLock {
            guard isStarted else { return AVMIDIPlayerCompletionHandler?.none }
            defer { completion = nil }
            isStarted = false
            // The last notes may still sound, so the synthesiser stays until the next stop.
            chain?.player.stop()
            rest = 0
            return completion
        }
        if let handler { output.deliver(handler) }
    }

    func nextEvent(after frame: Int64) -> Int64? {
        framesLeft(output.now.rate).map { frame + Int64(min(max($0.rounded(.up), 1), 0x1p60)) }
    }

    func engineDidRestart() {
        let wasPlaying = lock.withLock {
            defer { isStarted = false }
            dropChain()
            return isStarted
        }
        guard wasPlaying else { return }
        let handler = lock.withLock { completion }
        lock.withLock { completion = nil }
        play(handler)
    }

    func engineWasLost(_ error: any Error) {
        errors.record(error)
        stop()
    }

    func sessionInterrupted() { stop() }

    func sessionInterruptionEnded(mayResume: Bool) {}
}
