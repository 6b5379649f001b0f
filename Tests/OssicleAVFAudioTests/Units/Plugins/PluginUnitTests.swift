import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssiclePlugins
import Testing
@testable import OssicleAVFAudio

@Suite("LV2 plug-ins as audio units") struct PluginUnitTests {
    @Test("A plug-in is a component with a description that stays, a name, a version and tags")
    func component() throws {
        let description = ProbeUnits.description("scaling")
        // FNV-1a of the URI, computed apart.
        #expect(UnitFault.text(description) == "'aufx' '3HAg' 'WUCr'")
        let found = AVAudioUnitComponentManager.shared().components(matching: description)
        let component = try #require(found.first)
        #expect(found.count == 1)
        #expect((component.manufacturerName, component.name) == ("Ossicle Tests", "Probe scaling"))
        #expect(component.versionString == "0.2.4")
        #expect(component.typeName == AVAudioUnitTypeEffect)
        #expect(component.allTagNames == ["Amplifier"])
        #expect(component.componentURL?.lastPathComponent == "probes.lv2")
        #expect(component.supportsNumberInputChannels(2, outputChannels: 2))
        let notes = AVAudioUnitComponentManager.shared().components(
            matching: ProbeUnits.description("notes", type: kAudioUnitType_MusicDevice))
        #expect(notes.first?.hasMIDIInput == true && notes.first?.hasMIDIOutput == true)
    }

    @Test("Every spelling loads it: in a process of its own unless asked otherwise")
    func loading() async throws {
        let description = ProbeUnits.description("scaling")
        #expect(try !AUAudioUnit(componentDescription: description).isLoadedInProcess)
        #expect(try !AUAudioUnit(componentDescription: description, options: .loadOutOfProcess).isLoadedInProcess)
        #expect(try AUAudioUnit(componentDescription: description, options: .loadInProcess).isLoadedInProcess)
        #expect(try await AUAudioUnit.instantiate(with: description, options: .loadInProcess).isLoadedInProcess)
        let node = try await AVAudioUnit.instantiate(with: description, options: [])
        #expect(node is AVAudioUnitEffect && !node.auAudioUnit.isLoadedInProcess && node.name == "Probe scaling")
        let within = try await AVAudioUnit.instantiate(with: description, options: .loadInProcess)
        #expect(within.auAudioUnit.isLoadedInProcess)
        let refusing = ProbeUnits.description("refusing")
        #expect(
            avfaudioCode { _ = try AUAudioUnit(componentDescription: refusing) } == kAudioUnitErr_FailedInitialization)
        let stillborn = ProbeUnits.description("stillborn")
        #expect(
            avfaudioCode { _ = try AUAudioUnit(componentDescription: stillborn) }
                == kAudioComponentErr_InstanceInvalidated)
        await #expect(throws: OssicleError.self) { _ = try await AVAudioUnit.instantiate(with: stillborn, options: []) }
    }

    @Test("Ports are parameters: names, ranges, units, words for values, meters")
    func parameters() throws {
        let tree = try #require(try ProbeUnits.unit("scaling").parameterTree)
        let amount = try #require(tree.parameter(withAddress: 2))
        #expect((amount.identifier, amount.displayName) == ("amount", "Amount"))
        #expect((amount.minValue, amount.maxValue, amount.value) == (0, 4, 1))
        #expect(amount.unit == .linearGain && amount.flags.contains(.flag_CanRamp))
        #expect(amount.string(fromValue: nil) == "Unity" && amount.value(from: "Off") == 0)
        #expect(tree.parameter(withAddress: 3)?.flags.contains(.flag_MeterReadOnly) == true)
        let notes = try AUAudioUnit(
            componentDescription: ProbeUnits.description("notes", type: kAudioUnitType_MusicDevice))
        let choice = try #require(notes.parameterTree?.parameter(withAddress: 2))
        #expect(choice.unit == .indexed && choice.valueStrings == ["Low", "Mid", "High"])
        #expect(notes.midiOutputNames == ["Octave"])
    }

    @Test("A side chain is the second input bus; without a connection it is silent")
    func sidechain() throws {
        let unit = try ProbeUnits.unit("keyed")
        #expect(unit.inputBusses.count == 2 && unit.outputBusses.count == 1)
        let format = OfflineRig.format(48_000, 1)
        for bus in [unit.inputBusses[0], unit.inputBusses[1], unit.outputBusses[0]] { try bus.setFormat(format) }
        try unit.allocateRenderResources()
        let output = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 64))
        for (isConnected, expected) in [(true, Float(3.5)), (false, 1)] {
            var flags = AudioUnitRenderActionFlags(), time = AudioTimeStamp()
            (time.mSampleTime, time.mFlags) = (0, .sampleTimeValid)
            output.frameLength = 64
            let status = unit.renderBlock(&flags, &time, 64, 0, output.mutableAudioBufferList) {
                _, _, frames, bus, list in
                guard bus == 0 || isConnected else { return kAudioUnitErr_NoConnection }
                let plane = UnsafeMutableAudioBufferListPointer(list)[0].mData?.assumingMemoryBound(to: Float.self)
                for frame in 0..<Int(frames) { plane?[frame] = bus == 0 ? 1 : 0.25 }
                return noErr
            }
            #expect(status == noErr)
            let planes = try #require(output.floatChannelData)
            #expect((0..<64).allSatisfy { planes[0][$0] == expected })
        }
    }

    @Test("Properties set by messages are parameters, and paths are set by URL")
    func messageProperties() throws {
        let description = ProbeUnits.description("patched", type: kAudioUnitType_Generator)
        let unit = try AUAudioUnit(componentDescription: description)
        let tree = try #require(unit.parameterTree)
        #expect(tree.allParameters.map(\.displayName).sorted() == ["Gain", "On", "steps"])
        let gain = try #require(tree.allParameters.first { $0.displayName == "Gain" })
        #expect((gain.identifier, gain.value, gain.maxValue) == ("urn:ossicle:probe:gain", 0.5, 4))
        #expect(unit.pluginPathProperties == ["urn:ossicle:probe:file"])
        try unit.setPluginPath(URL(fileURLWithPath: "/tmp/a.wav"), forProperty: "urn:ossicle:probe:file")
        #expect(throws: OssicleError.self) {
            try unit.setPluginPath(URL(fileURLWithPath: "/tmp/a.wav"), forProperty: "urn:ossicle:probe:gain")
        }
        let texts = ["class", "link", "title"].map { "urn:ossicle:probe:\($0)" }
        #expect(unit.pluginTextProperties == texts)
        for property in texts { try unit.setPluginText("urn:a", forProperty: property) }
        try unit.setPluginText("", forProperty: texts[2])
        for (text, property) in [("no URI", texts[0]), (String(repeating: "a", count: 4096), texts[2]), ("a", "urn:b")]
        {
            #expect(throws: OssicleError.self) { try unit.setPluginText(text, forProperty: property) }
        }
    }

    @Test(
        "Events take effect at their frames; the same bytes for any cut",
        arguments: [AudioComponentInstantiationOptions.loadOutOfProcess, .loadInProcess])
    func events(options: AudioComponentInstantiationOptions) throws {
        var takes: [[[Float]]] = []
        for size in [512, 100, 1] {
            let unit = try ProbeUnits.unit("scaling", options)
            let host = try UnitHost(unit, channels: 2) { _, channel in Float(channel + 1) }
            let schedule = unit.scheduleParameterBlock
            schedule(10, 0, 2, 0.5)
            schedule(333, 0, 2, 2)
            takes.append(host.render(600, callsOf: size))
            #expect(unit.parameterTree?.parameter(withAddress: 3)?.value == 1)
        }
        for (channel, sound) in takes[0].enumerated() {
            let level = Float(channel + 1)
            #expect(sound[..<10].allSatisfy { $0 == level })
            #expect(sound[10..<333].allSatisfy { $0 == level / 2 })
            #expect(sound[333...].allSatisfy { $0 == level * 2 })
        }
        #expect(takes[1] == takes[0] && takes[2] == takes[0])
    }

    @Test("A state survives a property list, and holds what no parameter shows")
    func state() throws {
        let unit = try ProbeUnits.unit("storing")
        let host = try UnitHost(unit) { _, _ in 0 }
        host.set(2, 3)
        _ = host.render(64)
        let state = try #require(unit.fullState)
        let data = try PropertyListSerialization.data(fromPropertyList: state, format: .xml, options: 0)
        let read = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        let other = try ProbeUnits.unit("storing")
        other.fullState = read
        #expect(other.parameterTree?.parameter(withAddress: 2)?.value == 3)
        let second = try UnitHost(other) { _, _ in 0 }
        second.set(2, 0)
        #expect(second.render(64)[0][63] == 3)
    }

    @Test("Files of a state survive a property list")
    func stateFiles() throws {
        let unit = try ProbeUnits.unit("filing")
        let host = try UnitHost(unit) { _, _ in 0 }
        host.set(2, 3)
        _ = host.render(64)
        let data = try PropertyListSerialization.data(
            fromPropertyList: #require(unit.fullState), format: .binary, options: 0)
        let other = try ProbeUnits.unit("filing")
        other.fullState = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        let second = try UnitHost(other) { _, _ in 0 }
        second.set(2, 0)
        #expect(second.render(64)[0][63] == 3)
    }

    @Test("Presets, latency, bypass and any number of channels")
    func properties() throws {
        let unit = try ProbeUnits.unit("scaling")
        #expect(unit.factoryPresets?.map(\.name) == ["Quiet"])
        unit.currentPreset = unit.factoryPresets?.first
        #expect(unit.parameterTree?.parameter(withAddress: 2)?.value == 0.25)
        let host = try UnitHost(unit, channels: 2) { _, channel in Float(channel) }
        #expect(host.render(32).map { $0[31] } == [0, 0.25])
        unit.shouldBypassEffect = true
        #expect(host.render(32).map { $0[31] } == [0, 1])
        let delay = try ProbeUnits.unit("delaying")
        _ = try UnitHost(delay, rate: 48_000) { _, _ in 0 }
        #expect(delay.latency == 100.0 / 48_000)
    }

    @Test("Universal MIDI reaches an instrument as bytes")
    func universalMIDI() throws {
        #expect(UniversalBytes.message(0x2090_3C64, 0) == ((0x90, 0x3C, 0x64), 3))
        #expect(UniversalBytes.message(0x4091_3C00, 0xFFFF_0000) == ((0x91, 0x3C, 0x7F), 3))
        #expect(UniversalBytes.message(0x40E0_0000, 0x8000_0000) == ((0xE0, 0, 0x40), 3))
        #expect(UniversalBytes.message(0x40C0_0000, 0x0500_0000).count == 2)
        #expect(UniversalBytes.message(0xF000_0000, 0).count == 0)
    }
}

private func == (one: UniversalBytes.Message, other: UniversalBytes.Message) -> Bool {
    one.bytes == other.bytes && one.count == other.count
}
