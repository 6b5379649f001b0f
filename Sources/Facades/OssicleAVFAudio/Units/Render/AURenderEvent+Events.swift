import OssicleAudioToolbox
import OssicleRender

extension AURenderEvent: LinkedEvent {
    package var frame: Int64 {
        get { head.eventSampleTime }
        set { head.eventSampleTime = newValue }
    }

    package var following: UnsafeMutablePointer<AURenderEvent>? {
        get { head.next }
        set { head.next = newValue }
    }

    /// `AUEventSampleTimeImmediate` and up to 4095 frames more count from the cycle's start.
    package static func effective(_ frame: Int64, from start: Int64) -> Int64 {
        let (offset, overflow) = frame.subtractingReportingOverflow(AUEventSampleTimeImmediate)
        if !overflow, (0..<4096).contains(offset) { return start + offset }
        return max(frame, start)
    }
}

extension EventQueue<AURenderEvent> {
    /// Room for as many events as may wait.
    convenience init() { self.init(capacity: 512, empty: AURenderEvent()) }
}

extension EventQueue<AURenderEvent> {
    /// Bytes of the longest system exclusive message: those of the event's memory whose length is kept for certain.
    private static var longestMessage: Int { 255 }

    /// Any thread: a MIDI 1.0 message. `false` where the queue is full; what is too long is dropped.
    @discardableResult
    func send(midi bytes: UnsafeRawBufferPointer, at time: AUEventSampleTime, cable: UInt8 = 0) -> Bool {
        guard let first = bytes.first, bytes.count <= (first == 0xF0 ? Self.longestMessage : 3) else { return true }
        var event = AURenderEvent(
            MIDI: AUMIDIEvent(
                next: nil, eventSampleTime: time, eventType: first == 0xF0 ? .midiSysEx : .MIDI, reserved: 0,
                length: UInt16(bytes.count), cable: cable, data: (0, 0, 0)))
        withUnsafeMutableBytes(of: &event) { memory in
            let data = MemoryLayout<AUMIDIEvent>.offset(of: \.data) ?? 21
            UnsafeMutableRawBufferPointer(rebasing: memory[data...]).copyMemory(from: bytes)
        }
        return send(event)
    }

    /// Any thread: Universal MIDI messages, packet by packet.
    func send(_ list: UnsafePointer<MIDIEventList>, at time: AUEventSampleTime, cable: UInt8) -> OSStatus {
        for packet in list.unsafeSequence() {
            var single = MIDIEventList()
            (single.protocol, single.numPackets) = (list.pointee.protocol, 1)
            single.packet.timeStamp = packet.pointee.timeStamp
            single.packet.wordCount = packet.pointee.wordCount
            Self.copyWords(packet, to: &single.packet)
            let event = AUMIDIEventList(
                next: nil, eventSampleTime: time, eventType: .midiEventList, reserved: 0, cable: cable,
                eventList: single)
            guard send(AURenderEvent(MIDIEventsList: event)) else { return kAudioUnitErr_MIDIOutputBufferFull }
        }
        return noErr
    }

    /// A packet in a list may be shorter than its type.
    private static func copyWords(_ packet: UnsafePointer<MIDIEventPacket>, to target: inout MIDIEventPacket) {
        let offset = MemoryLayout<MIDIEventPacket>.offset(of: \.words) ?? 0
        let bytes = min(Int(packet.pointee.wordCount) * 4, MemoryLayout<MIDIEventPacket>.size - offset)
        withUnsafeMutableBytes(of: &target) {
            $0.baseAddress?.advanced(by: offset).copyMemory(from: UnsafeRawPointer(packet) + offset, byteCount: bytes)
        }
    }
}

extension ParameterEvents {
    /// The events that a unit's render block is given.
    init(_ list: UnsafePointer<AURenderEvent>?) {
        self.init(list.map { UnsafeRawPointer($0) }) { address in
            let event = address.assumingMemoryBound(to: AURenderEvent.self)
            let (head, next) = (event.pointee.head, event.pointee.head.next.map { UnsafeRawPointer($0) })
            guard head.eventType == .parameter || head.eventType == .parameterRamp else {
                return (ParameterEvent(frame: head.eventSampleTime, change: nil), next)
            }
            let parameter = event.pointee.parameter
            let change = ParameterEvent.Change(
                address: parameter.parameterAddress, value: parameter.value,
                frames: Int64(parameter.rampDurationSampleFrames))
            return (ParameterEvent(frame: head.eventSampleTime, change: change), next)
        }
    }
}
