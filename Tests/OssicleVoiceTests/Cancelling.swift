import OssicleDSP
import OssicleVoice

/// Runs a scene through a canceller, cut into calls of the given lengths in turn.
func cancel(
    _ scene: EchoScene, _ settings: EchoCanceller.Settings = EchoCanceller.Settings(), cuts: [Int] = [160]
) -> (output: [Float], state: EchoCanceller.State) {
    var canceller = EchoCanceller(sampleRate: scene.settings.sampleRate, settings: settings)
    let output = run(&canceller, far: scene.far, microphone: scene.microphone, cuts: cuts)
    return (output, canceller.state)
}

func run(
    _ canceller: inout EchoCanceller, far: [Float], microphone: [Float], cuts: [Int] = [160]
) -> [Float] {
    var output = [Float](repeating: 0, count: microphone.count)
    var (place, turn) = (0, 0)
    while place < microphone.count {
        let frames = min(cuts[turn % cuts.count], microphone.count - place)
        far[place..<(place + frames)].withUnsafeBufferPointer { far in
            microphone[place..<(place + frames)].withUnsafeBufferPointer { microphone in
                output[place..<(place + frames)].withUnsafeMutableBufferPointer { output in
                    guard let far = far.baseAddress, let microphone = microphone.baseAddress,
                        let output = output.baseAddress
                    else { return }
                    canceller.process(far: far, microphone: microphone, output: output, frames: frames)
                }
            }
        }
        place += frames
        turn += 1
    }
    return output
}
