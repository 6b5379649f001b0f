import OssicleHeader
import OssicleVoice

/// One channel at the recording's rate.
private func signal(
    _ handle: OpaquePointer?, _ name: String, at rate: Int?
) throws -> (samples: [Float], rate: Int) {
    let sound = try Handles.object(handle, Sound.self, name)
    guard sound.channels == 1, sound.rate == rate ?? sound.rate, (8000...192_000).contains(sound.rate) else {
        throw Fault(
            name, "has \(sound.channels) channels at \(sound.rate) Hz",
            rule: "the four signals have one channel and one rate, 8000 to 192000 Hz",
            cure: "mix the channels down, convert the rate")
    }
    return (Array(UnsafeBufferPointer(start: sound.samples(of: 0), count: sound.frames)), sound.rate)
}

@c @implementation
public func ossicle_analyze_echo(
    _ output: OpaquePointer?, _ far: OpaquePointer?, _ microphone: OpaquePointer?, _ near: OpaquePointer?,
    _ report: HandlePlace?, _ error: ErrorPlace?
) -> Int32 {
    make(report, error, "report") {
        let heard = try signal(microphone, "microphone", at: nil)
        let recording = EchoRecording(
            sampleRate: Double(heard.rate), far: try signal(far, "far", at: heard.rate).samples,
            microphone: heard.samples, near: try signal(near, "near", at: heard.rate).samples)
        return Report(EchoFigures(recording, output: try signal(output, "output", at: heard.rate).samples))
    }
}
