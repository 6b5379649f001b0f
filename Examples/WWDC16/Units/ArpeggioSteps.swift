import AVFoundation

/// Where the notes of an arpeggio fall. On the thread that renders, but for the parameters.
final class ArpeggioSteps: @unchecked Sendable {
    private struct Note {
        let status: UInt8
        let key: UInt8
        let end: Int64
    }

    private var values: (stepsPerBeat: Float, gate: Float, octaves: Float) = (4, 0.5, 1)
    private var keys = HeldKeys()
    private var channel: UInt8 = 0
    private var velocity: UInt8 = 0
    private var sounding: Note?
    private var turn = 0
    /// Frame of the next step while keys are held.
    private var next: Int64?
    /// Where the run began, for hosts without beats.
    private var origin: Int64 = 0
    private var count: Int64 = 0
    private var clock: (start: Int64, beat: Double?, framesPerBeat: Double) = (0, nil, 24_000)

    func set(_ address: AUParameterAddress, _ value: AUValue) {
        switch ArpeggiatorUnit.Parameter(rawValue: address) {
        case .stepsPerBeat: values.stepsPerBeat = value
        case .gate: values.gate = value
        case .octaves: values.octaves = value
        case nil: break
        }
    }

    func value(_ address: AUParameterAddress) -> AUValue {
        switch ArpeggiatorUnit.Parameter(rawValue: address) {
        case .stepsPerBeat: values.stepsPerBeat
        case .gate: values.gate
        case .octaves: values.octaves
        case nil: 0
        }
    }

    func forget() { (keys, sounding, next, turn) = (HeldKeys(), nil, nil, 0) }

    /// The clock of a cycle. `beat` is the host's at its first frame, `nil` where it has none.
    func begin(at start: Int64, beat: Double?, tempo: Double, rate: Double) {
        clock = (start, beat, rate * 60 / max(tempo, 1))
        // The host may have jumped, or changed its tempo.
        if next != nil, beat != nil { next = step(from: max(start, (sounding?.end ?? start) - length + 1)) }
    }

    func take(_ event: UnsafePointer<AURenderEvent>, _ send: AUMIDIOutputEventBlock?) {
        let head = event.pointee.head
        switch head.eventType {
        case .parameter, .parameterRamp:
            set(event.pointee.parameter.parameterAddress, event.pointee.parameter.value)
        case .MIDI:
            let (status, key, velocity) = event.pointee.MIDI.data
            switch status & 0xF0 {
            case 0x90 where velocity > 0: press(key, velocity, status & 15, at: head.eventSampleTime)
            case 0x80, 0x90:
                keys.release(key)
                if keys.count == 0 { (next, turn) = (nil, 0) }
            default: pass(event, send)
            }
        default: break
        }
    }

    /// Wheels, pedals and programs go on to the instrument.
    private func pass(_ event: UnsafePointer<AURenderEvent>, _ send: AUMIDIOutputEventBlock?) {
        let midi = event.pointee.MIDI
        self.send(midi.data.0, midi.data.1, midi.data.2, Int(midi.length), at: midi.eventSampleTime, send)
    }

    private func press(_ key: UInt8, _ velocity: UInt8, _ channel: UInt8, at frame: Int64) {
        (self.velocity, self.channel) = (velocity, channel)
        keys.press(key)
        guard next == nil else { return }
        (origin, count, turn) = (frame, 0, 0)
        next = step(from: frame)
    }

    /// The first step at a frame or behind it.
    private func step(from frame: Int64) -> Int64 {
        let stepsPerBeat = Double(max(values.stepsPerBeat.rounded(), 1))
        guard let beat = clock.beat else {
            return origin + Int64((Double(count) * clock.framesPerBeat / stepsPerBeat).rounded())
        }
        let here = beat + Double(frame - clock.start) / clock.framesPerBeat
        let number = (here * stepsPerBeat - 1e-6).rounded(.up)
        return clock.start + Int64(((number / stepsPerBeat - beat) * clock.framesPerBeat).rounded())
    }

    /// Frames of a note.
    private var length: Int64 {
        max(Int64(clock.framesPerBeat / Double(max(values.stepsPerBeat.rounded(), 1)) * Double(values.gate)), 1)
    }

    /// Ends and begins notes before `end`.
    func run(to end: Int64, _ send: AUMIDIOutputEventBlock?) {
        while true {
            let begin = next ?? .max, stop = sounding?.end ?? .max
            guard min(begin, stop) < end else { return }
            if stop <= begin { finish(at: stop, send) } else { play(at: begin, send) }
        }
    }

    private func finish(at frame: Int64, _ send: AUMIDIOutputEventBlock?) {
        if let note = sounding { self.send(0x80 | note.status, note.key, 0, 3, at: frame, send) }
        sounding = nil
    }

    private func play(at frame: Int64, _ send: AUMIDIOutputEventBlock?) {
        finish(at: frame, send)
        let octaves = max(Int(values.octaves.rounded()), 1)
        let key = keys[turn % max(keys.count, 1)].map { Int($0) + 12 * (turn / max(keys.count, 1) % octaves) }
        turn += 1
        count += 1
        if let key, key < 128 {
            self.send(0x90 | channel, UInt8(key), velocity, 3, at: frame, send)
            sounding = Note(status: channel, key: UInt8(key), end: frame + length)
        }
        next = step(from: frame + 1)
    }

    private func send(
        _ status: UInt8, _ data1: UInt8, _ data2: UInt8, _ length: Int, at frame: Int64,
        _ send: AUMIDIOutputEventBlock?
    ) {
        _ = withUnsafeBytes(of: (status, data1, data2)) { bytes in
            bytes.baseAddress.map { send?(frame, 0, length, $0.assumingMemoryBound(to: UInt8.self)) }
        }
    }
}
