// Writes the tremolo as an LV2 bundle, and beside it a sound with what the unit itself makes of it, for a foreign host
// to be compared with.
//
//     swift run -c release --package-path Examples TremoloBundle FOLDER

import AVFoundation
import LV2Bundle
import Tremolo

/// One second of two tones, and a file of them.
func writeTones(to url: URL, _ format: AVAudioFormat) throws -> AVAudioPCMBuffer {
    guard let tones = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 48_000), let planes = tones.floatChannelData
    else {
        throw CocoaError(.fileWriteUnknown)
    }
    tones.frameLength = 48_000
    for channel in 0..<2 {
        for frame in 0..<48_000 {
            planes[channel][frame] = 0.5 * sin(2 * .pi * Float(220 * (channel + 1) * frame % 48_000) / 48_000)
        }
    }
    let file = try AVAudioFile(forWriting: url, settings: format.settings)
    try file.write(from: tones)
    return tones
}

/// What the unit makes of a sound, in cycles of 512 frames.
func writeTremolo(of sound: AVAudioPCMBuffer, by unit: AUAudioUnit, to url: URL) throws {
    unit.parameterTree?.parameter(withAddress: 0)?.value = 7
    unit.parameterTree?.parameter(withAddress: 1)?.value = 80
    unit.maximumFramesToRender = 512
    try unit.allocateRenderResources()
    defer { unit.deallocateRenderResources() }
    guard let piece = AVAudioPCMBuffer(pcmFormat: sound.format, frameCapacity: 512), let planes = sound.floatChannelData
    else { return }
    let file = try AVAudioFile(forWriting: url, settings: sound.format.settings)
    let render = unit.renderBlock
    var time = AudioTimeStamp()
    time.mFlags = .sampleTimeValid
    for start in stride(from: 0, to: Int(sound.frameLength), by: 512) {
        let count = min(512, Int(sound.frameLength) - start)
        piece.frameLength = AVAudioFrameCount(count)
        var flags = AudioUnitRenderActionFlags()
        let status = render(&flags, &time, AUAudioFrameCount(count), 0, piece.mutableAudioBufferList) {
            _, _, frames, _, list in
            for (channel, buffer) in UnsafeMutableAudioBufferListPointer(list).enumerated() {
                buffer.mData?.copyMemory(from: planes[channel] + start, byteCount: Int(frames) * 4)
            }
            return noErr
        }
        guard status == noErr else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
        time.mSampleTime += Double(count)
        try file.write(from: piece)
    }
}

let arguments = CommandLine.arguments
let folder = URL(
    fileURLWithPath: arguments.count > 1 ? arguments[1] : NSTemporaryDirectory() + "tremolo", isDirectory: true)
let programs = URL(fileURLWithPath: arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
TremoloUnit.register()
let unit = try AUAudioUnit(componentDescription: TremoloUnit.component)
let turtle = UnitTurtle(unit, uri: tremoloURI, library: "libTremoloPlugin.so")
try turtle.write(
    to: folder.appendingPathComponent("lv2/tremolo.lv2", isDirectory: true),
    library: programs.appendingPathComponent("libTremoloPlugin.so"))
if let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2) {
    let tones = try writeTones(to: folder.appendingPathComponent("dry.wav"), format)
    try writeTremolo(of: tones, by: unit, to: folder.appendingPathComponent("expected.wav"))
}
print("lv2/tremolo.lv2, dry.wav and expected.wav are in \(folder.path).")
