import Foundation
import OssicleAudioToolbox
import OssicleAVFAudio
import OssicleCoreAudioTypes

/// A sequence that is played through a MIDI processor and into an instrument, both of the client's: loops, automated
/// parameters, system exclusive messages, and between render calls edits, mutes, jumps and other rates.
struct CheckSequences {
    /// - Returns: seconds rendered.
    func run() throws -> Double {
        AUAudioUnit.registerSubclass(PlayedUnit.self, as: PlayedUnit.component, name: "Ossicle: Played", version: 1)
        AUAudioUnit.registerSubclass(PassingUnit.self, as: PassingUnit.component, name: "Ossicle: Pass", version: 1)
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 1024)
        else { throw CheckError("no format") }
        let engine = AVAudioEngine(), processor = Made()
        AVAudioUnit.instantiate(with: PassingUnit.component) { unit, _ in processor.set(unit) }
        guard let passing = processor.wait() else { throw CheckError("no MIDI processor") }
        let instrument = AVAudioUnitMIDIInstrument(audioComponentDescription: PlayedUnit.component)
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 1024)
        for node in [instrument, passing] { engine.attach(node) }
        try engine.connectNode(instrument, to: engine.mainMixerNode, format: format)
        engine.connectMIDI(passing, to: instrument, format: nil)
        let sequencer = AVAudioSequencer(audioEngine: engine)
        fill(sequencer, through: passing)
        try engine.start()
        try sequencer.start()
        engine.watchesRealTime = false
        var position = 0, call = 1
        while position < 96_000 {
            _ = try engine.renderOffline(AVAudioFrameCount(call), to: buffer)
            position += call
            call = call % 1000 + 23
            change(sequencer, call)
            // The runtime makes metadata when it is first needed: one second unwatched.
            engine.watchesRealTime = position >= 48_000
        }
        engine.stop()
        if let error = engine.lastError { throw CheckError("the engine recorded: \(error)") }
        return Double(position) / 48_000
    }

    private func fill(_ sequencer: AVAudioSequencer, through passing: AVAudioUnit) {
        for part in 0..<4 {
            let track = sequencer.createAndAppendTrack()
            if part > 1 { track.destinationAudioUnit = passing }
            for note in 0..<32 {
                let event = AVMIDINoteEvent(channel: UInt32(part), key: UInt32(note), velocity: 90, duration: 0.3)
                track.addEvent(event, at: Double(note) / 16)
            }
            track.addEvent(AVMIDISysexEvent(data: Data([0xF0] + (0..<60) + [0xF7])), at: 0.5)
            track.isLoopingEnabled = true
            sequencer.tempoTrack.addEvent(AVExtendedTempoEvent(tempo: 100 + 40 * Double(part)), at: Double(part))
        }
        let gliding = sequencer.createAndAppendTrack()
        gliding.usesAutomatedParameters = true
        for step in 0..<8 {
            gliding.addEvent(
                AVParameterEvent(parameterID: 0, scope: 0, element: 0, value: Float(step)), at: Double(step) / 4)
        }
        gliding.isLoopingEnabled = true
    }

    private func change(_ sequencer: AVAudioSequencer, _ turn: Int) {
        let tracks = sequencer.tracks
        switch turn % 5 {
        case 0: tracks[0].isMuted.toggle()
        case 1: sequencer.rate = 0.5 + Float(turn % 7) / 4
        case 2: tracks[1].addEvent(AVMIDIProgramChangeEvent(channel: 1, programNumber: 3), at: Double(turn % 16) / 8)
        case 3: sequencer.currentPositionInBeats = Double(turn % 11)
        default: tracks[2].offsetTime = Double(turn % 3) / 10
        }
    }

    /// A unit that is made on another thread.
    private final class Made: @unchecked Sendable {
        private let done = DispatchSemaphore(value: 0)
        private var unit: AVAudioUnit?

        func set(_ unit: AVAudioUnit?) {
            self.unit = unit
            done.signal()
        }

        func wait() -> AVAudioUnit? {
            done.wait()
            return unit
        }
    }
}

/// An instrument as a client writes one: an impulse for each note.
final class PlayedUnit: AUAudioUnit {
    static let component = AudioComponentDescription(
        componentType: kAudioUnitType_MusicDevice, componentSubType: 0x706C_6179, componentManufacturer: 0x6F73_7369,
        componentFlags: 0, componentFlagsMask: 0)
    private lazy var outputs = AUAudioUnitBusArray(
        audioUnit: self, busType: .output,
        busses: AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2).flatMap {
            (try? AUAudioUnitBus(format: $0)).map { [$0] }
        } ?? [])

    override var outputBusses: AUAudioUnitBusArray { outputs }

    override var internalRenderBlock: AUInternalRenderBlock {
        { _, time, frames, _, list, events, _ in
            let buffers = UnsafeMutableAudioBufferListPointer(list)
            for buffer in buffers {
                buffer.mData?.assumingMemoryBound(to: Float.self).update(repeating: 0, count: Int(frames))
            }
            var next = events
            while let event = next {
                let frame = Int(event.pointee.head.eventSampleTime - Int64(time.pointee.mSampleTime))
                if event.pointee.MIDI.data.0 & 0xF0 == 0x90 {
                    buffers[0].mData?.assumingMemoryBound(to: Float.self)[frame] += 0.1
                }
                next = UnsafePointer(event.pointee.head.next)
            }
            return noErr
        }
    }
}

/// A MIDI processor as a client writes one: passes on what it gets.
final class PassingUnit: AUAudioUnit {
    static let component = AudioComponentDescription(
        componentType: kAudioUnitType_MIDIProcessor, componentSubType: 0x7061_7373, componentManufacturer: 0x6F73_7369,
        componentFlags: 0, componentFlagsMask: 0)

    override var internalRenderBlock: AUInternalRenderBlock {
        let send = midiOutputEventBlock
        return { _, _, _, _, _, events, _ in
            var next = events
            while let event = next {
                if event.pointee.head.eventType == .MIDI {
                    let midi = event.pointee.MIDI
                    _ = withUnsafeBytes(of: midi.data) { data in
                        data.baseAddress.map {
                            send?(midi.eventSampleTime, 0, Int(midi.length), $0.assumingMemoryBound(to: UInt8.self))
                        }
                    }
                }
                next = UnsafePointer(event.pointee.head.next)
            }
            return noErr
        }
    }
}
