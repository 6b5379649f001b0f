import Testing
@testable import OssicleCoreAudioTypes

@Suite("Core Audio structures") struct CoreAudioStructureTests {
    @Test("Structures lie in memory as C lays them out")
    func layout() {
        #expect(MemoryLayout<AudioStreamBasicDescription>.size == 40)
        #expect(MemoryLayout<AudioBuffer>.size == 16)
        #expect(MemoryLayout<AudioBufferList>.size == 24 && MemoryLayout<AudioBufferList>.offset(of: \.mBuffers) == 8)
        #expect(MemoryLayout<AudioTimeStamp>.size == 64 && MemoryLayout<SMPTETime>.size == 24)
        #expect(MemoryLayout<AudioChannelDescription>.size == 20 && MemoryLayout<AudioChannelLayout>.size == 32)
        #expect(MemoryLayout<AudioStreamPacketDescription>.size == 16)
    }

    @Test("A buffer list is a collection whose buffers can be replaced")
    func bufferList() {
        let list = AudioBufferList.allocate(maximumBuffers: 3)
        defer { list.unsafeMutablePointer.deallocate() }
        #expect(list.count == 3 && list.allSatisfy { $0.mData == nil })
        list[2] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 8, mData: nil)
        #expect(list.map(\.mDataByteSize) == [0, 0, 8])
        list.count = 2
        #expect(list.unsafePointer.pointee.mNumberBuffers == 2)
        #expect(AudioBufferList.sizeInBytes(maximumBuffers: 3) == 24 + 2 * 16)
        #expect(AudioBufferList.sizeInBytes(maximumBuffers: -1) == 24)
    }

    @Test("A typed buffer keeps its size on the way there and back")
    func typedBuffers() {
        let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: 5)
        defer { samples.deallocate() }
        let buffer = AudioBuffer(samples, numberOfChannels: -1)
        #expect(buffer.mDataByteSize == 20 && buffer.mNumberChannels == 0)
        #expect(UnsafeBufferPointer<Float>(buffer).count == 5 && UnsafeMutableBufferPointer<Int16>(buffer).count == 10)
        #expect(UnsafeBufferPointer<Float>(AudioBuffer()).isEmpty)
    }

    @Test("Four-character codes carry their first character in the highest byte")
    func fourCharacterCodes() {
        #expect(kAudioFormatLinearPCM == 0x6C70_636D)
        #expect(kAudioFormatMPEG4AAC & 0xFF == UInt32(UInt8(ascii: " ")))
        #expect(kAudioFileWAVEType == 0x5741_5645)
    }

    @Test("Host time runs forward in nanoseconds")
    func hostTime() {
        var info = mach_timebase_info_data_t()
        #expect(mach_timebase_info(&info) == KERN_SUCCESS)
        #expect(info == mach_timebase_info(numer: 1, denom: 1))
        let first = mach_absolute_time()
        #expect(mach_absolute_time() >= first && first > 0)
    }

    @Test("A status has a name and a sentence, an unknown one its value")
    func statuses() {
        #expect(
            OssicleError.describe(status: -10876)
                == "kAudioUnitErr_NoConnection (-10876): Nothing is connected to this input.")
        #expect(OssicleError.describe(status: noErr) == "kAudio_NoError (0): No error.")
        #expect(
            OssicleError.describe(status: OSStatus(bitPattern: 0x7479_703F)).hasPrefix(
                "kAudioFileUnsupportedFileTypeError ('typ?'): "))
        #expect(OssicleError.describe(status: -10844).hasPrefix("kMIDINotPermitted"))
        #expect(OssicleError.describe(status: -80802).hasPrefix("AVAudioEngineManualRenderingError.notRunning"))
        #expect(OssicleError.describe(status: 12_345) == "unknown status (12345)")
        #expect(OssicleError.describe(status: .min) == "unknown status (-2147483648)")
    }

    @Test("An error is an NSError and tells object, value, rule and cure")
    func errors() throws {
        let error: any Error = OssicleError(
            domain: "d", code: -50, object: "thing", value: "7", rule: "No sevens.", cure: "Use 8.")
        let bridged = error as NSError
        #expect(bridged.domain == "d" && bridged.code == -50 && bridged.localizedDescription == "thing: 7. No sevens.")
        #expect((error as? OssicleError)?.cure == "Use 8." && bridged.localizedRecoverySuggestion == "Use 8.")
        var place: NSError?
        func fails(_ error: NSErrorPointer) { error?.pointee = bridged }
        fails(&place)
        #expect(place === bridged)
    }
}
