import Testing
@testable import OssicleAudioToolbox

@Suite("Render events") struct AURenderEventTests {
    @Test("Events lie in memory as C lays them out")
    func layout() {
        #expect(MemoryLayout<AURenderEventHeader>.stride == 24 && MemoryLayout<AUParameterEvent>.stride == 40)
        #expect(
            MemoryLayout<AUParameterEvent>.offset(of: \.rampDurationSampleFrames) == 20
                && MemoryLayout<AUParameterEvent>.offset(of: \.value) == 32)
        #expect(
            MemoryLayout<AUMIDIEvent>.offset(of: \.length) == 18 && MemoryLayout<AUMIDIEvent>.offset(of: \.data) == 21)
        #expect(
            MemoryLayout<AUMIDIEventList>.offset(of: \.eventList) == 20 && MemoryLayout<AURenderEvent>.stride == 296)
    }

    @Test("A list is walked by its heads, each event read as its kind")
    func list() {
        let events = UnsafeMutablePointer<AURenderEvent>.allocate(capacity: 2)
        defer { events.deallocate() }
        events[0] = AURenderEvent(
            parameter: AUParameterEvent(
                next: events + 1, eventSampleTime: 5, eventType: .parameterRamp, reserved: (0, 0, 0),
                rampDurationSampleFrames: 64, parameterAddress: 9, value: 0.5))
        events[1] = AURenderEvent(
            MIDI: AUMIDIEvent(
                next: nil, eventSampleTime: AUEventSampleTimeImmediate, eventType: .MIDI, reserved: 0, length: 3,
                cable: 0, data: (0x90, 60, 100)))
        #expect(
            events[0].head.eventType == .parameterRamp && events[0].parameter.value == 0.5
                && events[0].parameter.parameterAddress == 9)
        let next = events[0].head.next
        #expect(
            next?.pointee.head.eventType == .MIDI && next?.pointee.MIDI.data.1 == 60 && next?.pointee.head.next == nil)
        events[0].head.eventSampleTime = 6
        #expect(events[0].parameter.eventSampleTime == 6 && events[0].parameter.rampDurationSampleFrames == 64)
    }

    @Test("A fresh event does nothing")
    func empty() {
        let event = AURenderEvent()
        #expect(event.head.eventType == .MIDI && event.MIDI.length == 0 && event.head.next == nil)
    }

    @Test("Immediate is the published bit pattern")
    func immediate() {
        #expect(UInt64(bitPattern: AUEventSampleTimeImmediate) == 0xFFFF_FFFF_0000_0000)
    }
}
