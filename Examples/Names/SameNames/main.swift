// Uses the library's members beside Ossicle's: everything here compiles without an "ambiguous use", and the library's
// values come back.

import AVFAudio
import Foundation
import PHASE
import Subclasses
import Wrapper

func check(_ isRight: Bool, _ what: String) {
    if isRight { return }
    FileHandle.standardError.write(Data("SameNames: \(what) is not the library's\n".utf8))
    exit(1)
}

let url = FileManager.default.temporaryDirectory.appendingPathComponent(
    "same-names-\(ProcessInfo.processInfo.processIdentifier).wav")
let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1)!
let file = try AVAudioFile(forWriting: url, settings: format.settings)
defer { try? FileManager.default.removeItem(at: url) }
check(file.duration == -1 && [file].map(\.duration) == [-1], "AVAudioFile.duration")
check(file.metadata["from"] == "wrapper" && file.loudness() == "wrapper", "AVAudioFile.metadata")

let engine = AVAudioEngine()
check(
    engine.lastError == "wrapper" && engine.isInspectionEnabled == "wrapper" && engine.drainCallbacks() == "wrapper"
        && engine.dumpGraph() == -1, "AVAudioEngine.lastError")
engine.errorHandler = "ours"
check(
    AVAudioPlayerNode().starvedFrameCount == -1 && AVAudioPlayerNode.play([]) == "wrapper",
    "AVAudioPlayerNode.starvedFrameCount")

let recorder = Recorder()
recorder.lastError = 3
check(
    recorder.lastError == 3 && recorder.duration == -1 && recorder.errorHandler() == "wrapper",
    "the subclass's lastError")
check(Deck().starvedFrameCount == "deck" && Deck().metadata() == "wrapper", "the subclass's starvedFrameCount")

let phase = PHASEEngine(updateMode: .manual)
check(
    phase.lastError == "wrapper" && phase.randomSeed == "wrapper" && phase.maximumVoiceCount == "wrapper",
    "PHASEEngine.lastError")
check(PHASEListener(engine: phase).name == -1 && phase.defaultMedium.temperature == "wrapper", "PHASEObject.name")

// What Objective-C imports as discardable, and the initialisers that every class has from NSObject. Warnings are errors
// here.
let converter = AVAudioConverter(from: format, to: format)!
let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 64)!
converter.convert(to: buffer, error: nil) { _, status in
    status.pointee = .noDataNow
    return nil
}
engine.mainMixerNode.outputFormat(forBus: 0)
AVAudioUnitComponentManager.shared().components(matching: AudioComponentDescription())
check(AVAudioFormat().channelCount == 0 && AVAudioUnit().numberOfInputs == 1, "an object of nothing")

// What the library does not have stays Ossicle's.
engine.staysOnWhenDevicesChange = true
check(engine.staysOnWhenDevicesChange && phase.recordedErrors.isEmpty, "what has no other")
print("SameNames: the library's members are meant, Ossicle's are there")
