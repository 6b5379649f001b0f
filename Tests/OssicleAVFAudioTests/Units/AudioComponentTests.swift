import Foundation
import OssicleCoreAudioTypes
import OssicleNodes
import Testing
@testable import OssicleAVFAudio
@testable import OssicleAudioToolbox

@Suite("Audio components") struct AudioComponentTests {
    private func description(
        _ type: OSType = 0, _ subtype: OSType = 0, _ maker: OSType = 0
    ) -> AudioComponentDescription {
        AudioComponentDescription(
            componentType: type, componentSubType: subtype, componentManufacturer: maker, componentFlags: 0,
            componentFlagsMask: 0)
    }

    /// The subtypes a search finds, in order.
    private func search(_ wanted: AudioComponentDescription) -> [OSType] {
        var wanted = wanted, found: [OSType] = [], component: AudioComponent?
        while let next = AudioComponentFindNext(component, &wanted), found.count < 1000 {
            var own = AudioComponentDescription()
            #expect(AudioComponentGetDescription(next, &own) == noErr)
            found.append(own.componentSubType)
            component = next
        }
        return found
    }

    @Test("A full description finds one unit; zeros find all that fit, each once")
    func wildcards() {
        var delay = description(kAudioUnitType_Effect, kAudioUnitSubType_Delay, kAudioUnitManufacturer_Apple)
        #expect(search(delay) == [kAudioUnitSubType_Delay] && AudioComponentCount(&delay) == 1)
        #expect(search(description(0, kAudioUnitSubType_Delay)) == [kAudioUnitSubType_Delay])
        let timeEffects = search(description(kAudioUnitType_FormatConverter, 0, kAudioUnitManufacturer_Apple))
        #expect(timeEffects == [kAudioUnitSubType_Varispeed, kAudioUnitSubType_NewTimePitch])
        let effects = search(description(kAudioUnitType_Effect, 0, kAudioUnitManufacturer_Apple))
        #expect(effects.count == 17 && Set(effects).count == 17)
        #expect(search(description(kAudioUnitType_Effect, kAudioUnitSubType_Delay, 1)).isEmpty)
        let instruments = search(description(kAudioUnitType_MusicDevice, 0, kAudioUnitManufacturer_Apple))
        #expect(
            instruments == [kAudioUnitSubType_Sampler, kAudioUnitSubType_MIDISynth, kAudioUnitSubType_DLSSynth])
        #expect(search(description(kAudioUnitType_MusicDevice, 0, 1)).isEmpty)
    }

    @Test("Flags count where the mask says so, and an unsearchable component needs its full description")
    func flags() {
        var hidden = description(kAudioUnitType_Effect, 0x74657374, 0x6869646E)
        hidden.componentFlags = AudioComponentFlags.unsearchable.rawValue
        ComponentRegistry.shared.register(RegisteredComponent(description: hidden, name: "Test: Hidden", version: 1))
        #expect(search(description(0, 0x74657374)).isEmpty && search(description(0, 0, 0x6869646E)).isEmpty)
        var exact = description(kAudioUnitType_Effect, 0x74657374, 0x6869646E)
        #expect(search(exact) == [0x74657374])
        exact.componentFlagsMask = AudioComponentFlags.unsearchable.rawValue
        #expect(search(exact).isEmpty)
    }

    @Test("A component registered twice keeps its handle")
    func twice() {
        let own = description(kAudioUnitType_Generator, 0x74776963, 0x74657374)
        let handles = ["Test: One", "Test: Two"].map {
            ComponentRegistry.shared.register(RegisteredComponent(description: own, name: $0, version: 1))
        }
        #expect(handles[0] == handles[1] && ComponentRegistry.shared.component(of: handles[0])?.name == "Test: Two")
    }

    @Test(
        "Names and makers are those clients search for",
        arguments: [
            (kAudioUnitType_Effect, kAudioUnitSubType_NBandEQ, "Apple: AUNBandEQ"),
            (kAudioUnitType_Effect, kAudioUnitSubType_Reverb2, "Apple: AUReverb2"),
            (kAudioUnitType_FormatConverter, kAudioUnitSubType_NewTimePitch, "Apple: AUNewTimePitch"),
            (kAudioUnitType_Effect, kAudioUnitSubType_NewTimePitch, "Apple: AUNewPitch"),
            (kAudioUnitType_Mixer, kAudioUnitSubType_MatrixMixer, "Apple: AUMatrixMixer"),
            (kAudioUnitType_Output, kAudioUnitSubType_HALOutput, "Apple: AudioDeviceOutput"),
        ])
    func names(type: OSType, subtype: OSType, expected: String) throws {
        var wanted = description(type, subtype, kAudioUnitManufacturer_Apple), name: Unmanaged<CFString>?,
            version: UInt32 = 0
        let component = try #require(AudioComponentFindNext(nil, &wanted))
        #expect(
            AudioComponentCopyName(component, &name) == noErr && AudioComponentGetVersion(component, &version) == noErr)
        #expect(name.map { "\($0.takeRetainedValue())" } == expected && version == 0x100)
    }

    @Test("A name says who made the unit and what it is")
    func name() throws {
        var wanted = description(kAudioUnitType_Effect, kAudioUnitSubType_Delay, kAudioUnitManufacturer_Apple)
        let component = try #require(AudioComponentFindNext(nil, &wanted))
        var name: Unmanaged<CFString>?
        #expect(AudioComponentCopyName(component, &name) == noErr)
        #expect(name?.takeRetainedValue() == "Apple: AUDelay")
    }

    @Test("Handles that were never given out are refused", arguments: [1, 0x10_0000_0000, UInt.max])
    func wrongHandles(bits: UInt) throws {
        let handle = try #require(OpaquePointer(bitPattern: bits))
        var found = AudioComponentDescription(), name: Unmanaged<CFString>?, version: UInt32 = 7
        #expect(AudioComponentFindNext(handle, &found) == nil)
        #expect(
            AudioComponentGetDescription(handle, &found) == kAudio_ParamError
                && AudioComponentCopyName(handle, &name) == kAudio_ParamError)
        #expect(AudioComponentGetVersion(handle, &version) == kAudio_ParamError && version == 7)
    }
}
