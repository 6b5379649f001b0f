// Connections that carry MIDI only.

import OssicleAudioToolbox
import OssicleMIDI

/// Gets MIDI that flows over a connection: sample time, cable, events. On the thread that renders.
public typealias AVMIDIEventListBlock = (Int64, UInt8, UnsafePointer<MIDIEventList>) -> OSStatus

extension AVAudioEngine {
    /// Lets a MIDI processor (`aumi`) send to an instrument, music effect or MIDI processor; a block may listen in.
    /// Both have to be attached. An error is recorded.
    ///
    /// The processor runs block by block before the units it sends to, and what it sends reaches them at its frame.
    /// Where it has no output for sound it need not be connected otherwise. A listener to Universal MIDI gets channel
    /// messages.
    public func connectMIDI(
        _ sourceNode: AVAudioNode, to destinationNode: AVAudioNode, format: AVAudioFormat?,
        eventListBlock tapBlock: AUMIDIEventListBlock? = nil
    ) {
        connectMIDI(sourceNode, to: [destinationNode], format: format, eventListBlock: tapBlock)
    }

    /// As above, to several at once: all of them or none.
    public func connectMIDI(
        _ sourceNode: AVAudioNode, to destinationNodes: [AVAudioNode], format: AVAudioFormat?,
        eventListBlock tapBlock: AUMIDIEventListBlock? = nil
    ) {
        machine.errors.recording {
            try machine.midi.connect(
                sourceNode, to: destinationNodes, in: machine, format: format, tapBlock.map { .events($0) })
        }
    }

    /// As above, with a listener that hears MIDI 1.0.
    @_disfavoredOverload
    public func connectMIDI(
        _ sourceNode: AVAudioNode, to destinationNode: AVAudioNode, format: AVAudioFormat?,
        block tapBlock: AUMIDIOutputEventBlock? = nil
    ) {
        connectMIDI(sourceNode, to: [destinationNode], format: format, block: tapBlock)
    }

    /// As above, with a listener that hears MIDI 1.0.
    @_disfavoredOverload
    public func connectMIDI(
        _ sourceNode: AVAudioNode, to destinationNodes: [AVAudioNode], format: AVAudioFormat?,
        block tapBlock: AUMIDIOutputEventBlock? = nil
    ) {
        machine.errors.recording {
            try machine.midi.connect(
                sourceNode, to: destinationNodes, in: machine, format: format, tapBlock.map { .bytes($0) })
        }
    }

    /// Takes one connection away.
    public func disconnectMIDI(_ sourceNode: AVAudioNode, from destinationNode: AVAudioNode) {
        disconnectMIDI(sourceNode, from: [destinationNode])
    }

    /// Takes connections away.
    public func disconnectMIDI(_ sourceNode: AVAudioNode, from destinationNodes: [AVAudioNode]) {
        machine.midi.disconnect { wire in wire.source === sourceNode && destinationNodes.contains { $0 === wire.target }
        }
    }

    /// Takes away what sends MIDI to a node.
    public func disconnectMIDIInput(_ node: AVAudioNode) {
        machine.midi.disconnect { $0.target === node }
    }

    /// Takes away where a node sends MIDI.
    public func disconnectMIDIOutput(_ node: AVAudioNode) {
        machine.midi.disconnect { $0.source === node }
    }
}

extension AVAudioEngine {
    /// A sequence of the C interface that is played by the engine's instruments and frames: a `MusicPlayer` of it
    /// follows the engine. `nil`, the default, for none; a handle that is not there is recorded.
    public var musicSequence: MusicSequence? {
        get { machine.sequences.sequence.flatMap { SequenceHandles.sequences.handle(of: $0) } }
        set {
            guard let newValue else { return machine.sequences.sequence = nil }
            guard let sequence = SequenceHandles.sequences.object(of: newValue) else {
                machine.errors.record(
                    OssicleError.avfaudio(
                        kAudio_ParamError, "AVAudioEngine", value: "a sequence that is not there",
                        rule: "NewMusicSequence makes a sequence, and DisposeMusicSequence ends it.",
                        cure: "Use one that was not disposed of."))
                return
            }
            machine.sequences.sequence = sequence
        }
    }
}
