import Foundation
import OssicleTestSupport
import Testing
@testable import OssicleCoreMIDI
@testable import OssicleMIDI

@Suite("Core MIDI thru connections") struct MIDIThruTests {
    @Test("The structures lie in memory as in C")
    func layout() {
        #expect(MemoryLayout<MIDIThruConnectionParams>.size == 204 && MemoryLayout<MIDIControlTransform>.size == 8)
        #expect(MemoryLayout<MIDIValueMap>.size == 128 && MemoryLayout<MIDITransform>.size == 4)
        #expect(MemoryLayout<MIDIThruConnectionParams>.offset(of: \.channelMap) == 140)
        #expect(MemoryLayout<MIDIThruConnectionParams>.offset(of: \.numMaps) == 194)
    }

    /// Parameters with two transforms of controllers and a map behind them.
    private func parameters(_ change: (inout MIDIThruConnectionParams) -> Void = { _ in }) -> Data {
        var head = MIDIThruConnectionParams()
        MIDIThruConnectionParamsInitialize(&head)
        head.numControlTransforms = 2
        head.numMaps = 1
        head.velocity = MIDITransform(transform: .mapValue, param: 0)
        change(&head)
        #expect(MIDIThruConnectionParamsSize(&head) == 204 + 16 + 128)
        var data = withUnsafeBytes(of: head) { Data($0) }
        let control = MIDIControlTransform(
            controlType: .controlType_14BitNRPN, remappedControlType: .controlType_7Bit, controlNumber: 300,
            transform: .mapControl, param: 7)
        for _ in 0..<2 { withUnsafeBytes(of: control) { data.append(contentsOf: $0) } }
        var map = MIDIValueMap()
        map.value.100 = 3
        withUnsafeBytes(of: map) { data.append(contentsOf: $0) }
        return data
    }

    @Test("Parameters come back byte for byte")
    func roundTrip() {
        let written = parameters { head in
            head.channelMap.3 = 0xFF
            head.filterOutMTC = 1
            head.pitchBend = MIDITransform(transform: .scale, param: -4096)
        }
        var connection = MIDIThruConnectionRef()
        #expect(MIDIThruConnectionCreate("org.example.thru", CFData(data: written), &connection) == noErr)
        var read = Unmanaged.passRetained(CFData())
        let empty = read
        defer { empty.release() }
        #expect(MIDIThruConnectionGetParams(connection, &read) == noErr)
        #expect(Data(referencing: read.takeRetainedValue()) == written)
        #expect(MIDIThruConnectionSetParams(connection, CFData(data: parameters())) == noErr)
        #expect(MIDIThruConnectionFind("org.example.thru", &read) == noErr)
        let found = Data(referencing: read.takeRetainedValue())
        #expect(found.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) } == connection && found.count == 4)
        #expect(MIDIThruConnectionDispose(connection) == noErr)
        #expect(MIDIThruConnectionGetParams(connection, &read) == kMIDIObjectNotFound)
    }

    @Test("Spoilt parameters give a status")
    func mutated() {
        let whole = [UInt8](parameters())
        var mutator = Mutator(seed: 4)
        var refused = 0
        for _ in 0..<mutationCount(500) {
            var connection = MIDIThruConnectionRef()
            let data = CFData(data: Data(mutator.mutate(whole)))
            let status = MIDIThruConnectionCreate(nil, data, &connection)
            #expect([noErr, kAudio_ParamError, kMIDIUnknownEndpoint].contains(status))
            if status == noErr { MIDIThruConnectionDispose(connection) } else { refused += 1 }
        }
        #expect(refused > 50)
        var connection = MIDIThruConnectionRef()
        #expect(MIDIThruConnectionCreate(nil, CFData(), &connection) == kAudio_ParamError)
    }
}
