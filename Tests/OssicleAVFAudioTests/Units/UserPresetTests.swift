import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import Testing
@testable import OssicleAVFAudio

/// What is kept under `XDG_DATA_HOME`, which is a folder of this suite's own.
@Suite("User presets and tags on disk", .serialized) struct UserPresetTests {
    private static let folder: URL = {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ossicle-data-\(getpid())")
        setenv("XDG_DATA_HOME", folder.path, 1)
        atexit { try? FileManager.default.removeItem(at: UserPresetTests.folder) }
        return folder
    }()

    init() { try? FileManager.default.removeItem(at: Self.folder) }

    private func preset(_ name: String, _ number: Int = 0) -> AUAudioUnitPreset {
        let preset = AUAudioUnitPreset()
        (preset.name, preset.number) = (name, number)
        return preset
    }

    private func unit(_ subtype: OSType = kAudioUnitSubType_Delay) throws -> AUAudioUnit {
        try AUAudioUnit(componentDescription: AudioComponentDescription(builtIn: kAudioUnitType_Effect, subtype))
    }

    private func file(_ name: String, _ subtype: String = "dely") -> URL {
        Self.folder.appendingPathComponent("ossicle/presets/aufx-\(subtype)-appl/\(name).aupreset")
    }

    @Test("A preset of every effect gives another unit the same values", arguments: builtInEffects())
    func roundTrip(component: AudioComponentDescription) throws {
        let first = try AUAudioUnit(componentDescription: component)
        for (index, parameter) in (first.parameterTree?.allParameters ?? []).enumerated()
        where parameter.flags.contains(.flag_IsWritable) {
            parameter.value = parameter.minValue + (parameter.maxValue - parameter.minValue) * Float(index % 5) / 4
        }
        #expect(first.supportsUserPresets && first.userPresets.isEmpty)
        let own = preset("Mine")
        try first.saveUserPreset(own)
        #expect(own.number == -1)
        let second = try AUAudioUnit(componentDescription: component)
        #expect(second.userPresets.map(\.name) == ["Mine"])
        second.currentPreset = second.userPresets.first
        #expect(second.parameterTree?.allParameters.map(\.value) == first.parameterTree?.allParameters.map(\.value))
        #expect(second.currentPreset?.name == "Mine" && second.currentPreset?.number == -1)
        try second.deleteUserPreset(own)
        #expect(first.userPresets.isEmpty)
    }

    @Test("Numbers are below 0 and each preset's own; a name is written over")
    func numbers() throws {
        let unit = try unit()
        let names = ["One", "Two", "Three"].map { preset($0, 7) }
        for name in names { try unit.saveUserPreset(name) }
        #expect(names.map(\.number) == [-1, -2, -3])
        let again = preset("Two")
        try unit.saveUserPreset(again)
        #expect(again.number == -2 && unit.userPresets.map(\.number) == [-1, -2, -3])
        let taken = preset("Four", -1)
        try unit.saveUserPreset(taken)
        #expect(taken.number == -4)
        #expect(try self.unit(kAudioUnitSubType_Reverb2).userPresets.isEmpty)
    }

    @Test("Names are names, not paths; a name without letters is refused")
    func names() throws {
        let unit = try unit()
        for name in ["../../escaped", "a/b", ".hidden", "Größe 2"] { try unit.saveUserPreset(preset(name)) }
        let folder = file("x").deletingLastPathComponent()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 4)
        #expect(Set(unit.userPresets.map(\.name)) == ["../../escaped", "a/b", ".hidden", "Größe 2"])
        #expect(avfaudioCode { try unit.saveUserPreset(preset("")) } == kAudio_ParamError)
        let long = preset(String(repeating: "x", count: 201))
        #expect(avfaudioCode { try unit.saveUserPreset(long) } == kAudio_ParamError)
    }

    @Test("Damaged files and other units' are errors where they are asked for, and left out of the list")
    func damaged() throws {
        let unit = try unit()
        try unit.saveUserPreset(preset("Good"))
        let whole = try Data(contentsOf: file("Good"))
        try whole.prefix(whole.count / 2).write(to: file("Half"))
        try Data().write(to: file("Empty"))
        try Data("no list".utf8).write(to: file("Text"))
        let reverb = try self.unit(kAudioUnitSubType_Reverb2)
        try reverb.saveUserPreset(preset("Hall"))
        try FileManager.default.copyItem(at: file("Hall", "rvb2"), to: file("Hall"))
        #expect(unit.userPresets.map(\.name) == ["Good"])
        for name in ["Half", "Empty", "Text", "Hall"] {
            #expect(avfaudioCode { try unit.presetState(for: preset(name)) } == kAudioUnitErr_InvalidFile)
        }
        #expect(avfaudioCode { try unit.presetState(for: preset("None", -9)) } == kAudio_FileNotFoundError)
        #expect(avfaudioCode { try unit.deleteUserPreset(preset("None")) } == kAudio_FileNotFoundError)
        unit.errors.handler = { _ in }
        unit.currentPreset = preset("Half", -8)
        #expect(unit.currentPreset == nil && unit.errors.last != nil)
        try FileManager.default.removeItem(at: Self.folder)
        try Data().write(to: Self.folder)
        #expect(avfaudioCode { try unit.saveUserPreset(preset("Nowhere")) } == kAudio_FilePermissionError)
    }

    @Test("Tags of the user stay with the component, whatever object asks")
    func tags() throws {
        let wanted = AudioComponentDescription(builtIn: kAudioUnitType_Effect, kAudioUnitSubType_Delay)
        func component() throws -> AVAudioUnitComponent {
            try #require(AVAudioUnitComponentManager.shared().components(matching: wanted).first)
        }
        #expect(try component().userTagNames.isEmpty && component().allTagNames == ["Delay"])
        try component().userTagNames = ["Favourite", "Delay"]
        #expect(try component().userTagNames == ["Favourite", "Delay"])
        #expect(try component().allTagNames == ["Delay", "Favourite"])
        let manager = AVAudioUnitComponentManager.shared()
        #expect(manager.tagNames.contains("Favourite") && !manager.standardLocalizedTagNames.contains("Favourite"))
        let kept = try Data(contentsOf: Self.folder.appendingPathComponent("ossicle/component-tags.plist"))
        let list = try PropertyListSerialization.propertyList(from: kept, format: nil) as? [String: [String]]
        #expect(list == ["aufx-dely-appl": ["Favourite", "Delay"]])
        try component().userTagNames = []
        #expect(try component().allTagNames == ["Delay"])
    }
}
