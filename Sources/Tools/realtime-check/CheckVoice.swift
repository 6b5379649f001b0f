import Foundation
import OssicleAVFAudio
import OssicleCoreAudioTypes

/// Voice processing: what an engine plays comes back through its input block, with words of somebody near.
struct CheckVoice {
    private let rate = 48_000.0

    /// - Returns: seconds rendered, half of them under watch.
    func run() throws -> Double {
        guard let stereo = AVAudioFormat(standardFormatWithSampleRate: rate, channels: 2),
            let buffer = AVAudioPCMBuffer(pcmFormat: stereo, frameCapacity: 1024),
            let microphone = AVAudioPCMBuffer(pcmFormat: stereo, frameCapacity: 1024)
        else { throw CheckError("no format") }
        let engine = AVAudioEngine(), input = engine.inputNode
        try engine.enableManualRenderingMode(.offline, format: stereo, maximumFrameCount: 1024)
        try input.setVoiceProcessingEnabled(true)
        let isSet = input.setManualRenderingInputPCMFormat(stereo) { frames in
            microphone.frameLength = frames
            return UnsafePointer(microphone.mutableAudioBufferList)
        }
        guard isSet else { throw CheckError("no input: \(engine.lastError.map { "\($0)" } ?? "")") }
        let player = AVAudioSourceNode { _, stamp, frames, list in
            for buffer in UnsafeMutableAudioBufferListPointer(list) {
                fill(buffer.mData, Int(frames), from: Int(stamp.pointee.mSampleTime), level: 0.2)
            }
            return noErr
        }
        engine.attach(player)
        try engine.connectNode(player, to: engine.mainMixerNode, format: stereo)
        input.installTap(onBus: 0, bufferSize: 512, format: nil) { _, _ in }
        _ = input.setMutedSpeechActivityEventListener { _ in }
        try engine.start()
        // The runtime makes metadata when it is first needed: half of it unwatched.
        engine.watchesRealTime = false
        var (position, call) = (0, 1)
        for turn in 0..<2 {
            while position < (turn + 1) * Int(2 * rate) {
                let part = position / 12_000 % 4
                (input.isVoiceProcessingInputMuted, input.isVoiceProcessingBypassed) = (part == 1, part == 2)
                input.isVoiceProcessingAGCEnabled = part != 3
                // What was played last, and another voice.
                for channel in 0..<2 {
                    fill(microphone.floatChannelData?[channel], 1024, from: 3 * position - 4800, level: 0.1)
                }
                _ = try engine.renderOffline(AVAudioFrameCount(call), to: buffer)
                position += call
                call = call % 1000 + 23
            }
            engine.watchesRealTime = true
        }
        engine.stop()
        if let error = engine.lastError { throw CheckError("the engine recorded: \(error)") }
        return (Double(position) / rate * 100).rounded() / 100
    }
}

/// Tones with pauses.
private func fill(_ memory: UnsafeMutableRawPointer?, _ frames: Int, from first: Int, level: Float) {
    guard let samples = memory?.assumingMemoryBound(to: Float.self) else { return }
    for frame in 0..<frames {
        let i = first + frame
        samples[frame] = i % 19_200 < 9_600 ? level * (Float(i &* 31 & 0xFF) / 128 - 1) : 0
    }
}
