import Foundation
import OssicleAudioToolbox
import OssicleAVFAudio
import OssicleCoreAudioTypes

/// A sampler that plays more notes than it has voices, with pedals, wheels, controllers, automated parameters and other
/// instruments between render calls; and, where the machine has a bank of General MIDI, that bank on all its channels.
struct CheckInstruments {
    /// - Returns: seconds rendered.
    func run() throws -> Double {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 1024)
        else { throw CheckError("no format") }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ossicle-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = try (0..<3).map { try write($0, to: folder, format) }
        let engine = AVAudioEngine(), sampler = AVAudioUnitSampler()
        let synthesiser = AVAudioUnitMIDIInstrument(
            audioComponentDescription: AudioComponentDescription(
                componentType: kAudioUnitType_MusicDevice, componentSubType: kAudioUnitSubType_DLSSynth,
                componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0))
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 1024)
        for node in [sampler, synthesiser] {
            engine.attach(node)
            try engine.connectNode(node, to: engine.mainMixerNode, format: format)
        }
        try sampler.loadAudioFiles(at: [files[0]])
        try engine.start()
        engine.watchesRealTime = false
        var position = 0, call = 1
        while position < 96_000 {
            _ = try engine.renderOffline(AVAudioFrameCount(call), to: buffer)
            position += call
            call = call % 1000 + 23
            try play(sampler, synthesiser, call, files)
            // The runtime makes metadata when it is first needed: one second unwatched.
            engine.watchesRealTime = position >= 48_000
        }
        engine.stop()
        if let error = engine.lastError { throw CheckError("the engine recorded: \(error)") }
        return Double(position) / 48_000
    }

    private func write(_ number: Int, to folder: URL, _ format: AVAudioFormat) throws -> URL {
        let url = folder.appendingPathComponent("\(number).wav"), frames = AVAudioFrameCount(9000 + 7000 * number)
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames),
            let planes = buffer.floatChannelData
        else { throw CheckError("no buffer") }
        buffer.frameLength = frames
        for frame in 0..<Int(frames) {
            for channel in 0..<2 { planes[channel][frame] = sinf(Float(frame * (number + channel + 1)) * 0.05) * 0.1 }
        }
        try AVAudioFile(forWriting: url, settings: format.settings).write(from: buffer)
        return url
    }

    private func play(
        _ sampler: AVAudioUnitSampler, _ synthesiser: AVAudioUnitMIDIInstrument, _ turn: Int, _ files: [URL]
    ) throws {
        for index in 0..<12 {
            let key = UInt8((turn + index * 7) % 128), channel = UInt8((turn + index) % 16)
            for unit in [sampler, synthesiser] {
                unit.startNote(key, withVelocity: UInt8(20 + index * 8), onChannel: channel)
                if index % 3 == 0 { unit.stopNote(key, onChannel: channel) }
                unit.sendPitchBend(UInt16(turn * 16 % 16_384), onChannel: channel)
                unit.sendController([1, 7, 10, 11, 64, 66, 74, 91, 93][index % 9], withValue: key, onChannel: channel)
            }
            synthesiser.sendProgramChange(key, onChannel: channel)
        }
        let schedule = sampler.auAudioUnit.scheduleParameterBlock
        schedule(AUEventSampleTimeImmediate + 5, 300, AUParameterAddress(kAUSamplerParam_Gain), Float(turn % 20) - 10)
        schedule(AUEventSampleTimeImmediate + 9, 0, AUParameterAddress(kAUSamplerParam_FineTuning), Float(turn % 99))
        sampler.stereoPan = Float(turn % 200) - 100
        if turn % 9 == 0 { try sampler.loadAudioFiles(at: turn % 2 == 0 ? [files[1]] : files) }
        if turn % 11 == 0 {
            sampler.sendMIDISysExEvent(Data([0xF0, 0x7F, 0x7F, 0x04, 0x01, 0, UInt8(turn % 128), 0xF7]))
            // Another reverb, and another chorus.
            for slot in UInt8(1)...2 {
                let bytes: [UInt8] = [0xF0, 0x7F, 0x7F, 4, 5, 1, 1, 1, 1, slot, 0, UInt8(turn % 5), 0xF7]
                synthesiser.sendMIDISysExEvent(Data(bytes))
            }
        }
    }
}
