import OssicleCore
import OssicleCoreAudioTypes
import OssicleDevices
import OssiclePlayback
import OssicleRender
import Synchronization

/// Voice processing of an I/O unit: settings that stay, and what is looked after while it runs.
final class UnitVoice: @unchecked Sendable {
    let controls = VoiceControls()
    private let mutedSpeech = MutedSpeechListener()
    private let callbacks = CallbackFence()
    private let lock = NSLock()
    // Under the lock.
    private var others = VoiceDucking()
    private var ticker: Ticker?

    var ducking: AVAudioVoiceProcessingOtherAudioDuckingConfiguration {
        get { lock.withLock { others.configuration } }
        set { lock.withLock { others.configuration = newValue } }
    }

    func setListener(_ block: MutedSpeechListener.Block?) { mutedSpeech.set(block, since: controls.mutedSpeechTurns) }

    func begin() {
        let ticker = Ticker(label: "ossicle.voice", milliseconds: 20) { [weak self] in self?.tick() }
        lock.withLock { self.ticker = ticker }
    }

    func end() {
        lock.withLock { ticker = nil }
        duckOthers { $0.end() }
    }

    private func tick() {
        mutedSpeech.deliver(until: controls.mutedSpeechTurns, through: callbacks)
        duckOthers { $0.follow(controls) }
    }

    private func duckOthers(_ step: (inout VoiceDucking) -> Int?) {
        guard let decibels = lock.withLock({ step(&others) }) else { return }
        AVAudioSession.sharedInstance().control.duckOthers(by: decibels, for: ObjectIdentifier(self))
    }
}

/// What a unit plays and captures in a cycle, on its way through voice processing. Render side, except for `init`.
final class VoiceCycle: @unchecked Sendable {
    let processor: VoiceProcessor
    private let reader: SampleReader
    private let memory: SampleMemory
    private let planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let channels: Int
    private let capacity: Int

    /// - Parameters:
    ///   - format: of what the client gives for the output.
    ///   - quantum: frames of a cycle, as a rule.
    ///   - capacity: frames of a cycle, at most.
    init(_ voice: UnitVoice, _ format: AVAudioFormat, microphones: Int, quantum: Int, capacity: Int) {
        processor = VoiceProcessor(
            sampleRate: format.sampleRate, channelCount: microphones, controls: voice.controls, farDelay: quantum,
            maximumFrames: capacity)
        (channels, self.capacity) = (Int(format.channelCount), capacity)
        reader = SampleReader(format)
        memory = SampleMemory(count: channels * capacity)
        planes = .allocate(capacity: channels)
        for channel in 0..<channels { planes[channel] = memory.pointer + channel * capacity }
    }

    deinit { planes.deallocate() }

    /// Takes what the client has given; nil for silence.
    func takeReference(_ list: UnsafeMutablePointer<AudioBufferList>?, _ frames: Int, at position: Int64) {
        let read = list.map { reader.read(UnsafePointer($0), frames, to: memory.pointer, stride: capacity) } ?? 0
        for channel in 0..<channels { (planes[channel] + read).update(repeating: 0, count: frames - read) }
        processor.takeReference(planes, channels, frames: frames, at: position)
    }
}
