import OssicleAVFAudio
import OssiclePlayback

/// The taps of the engine's output, a listener's or a mixer's, as clients install them. Under the engine's lock.
extension TapList {
    /// - Parameter name: of the place, for messages.
    func install(
        _ control: EngineControl, at name: String, _ bufferSize: AVAudioFrameCount, _ format: AVAudioFormat?,
        _ block: @escaping AVAudioNodeTapBlock
    ) throws {
        if let format { try check(format, control.outlets.format as? AVAudioFormat, name) }
        add(Tap(control.outlets, bufferSize: Int(bufferSize), deliver: Self.delivery(in: format, block)))
        control.planChanged()
    }

    /// - Parameter form: of the client's buffers; nil for the output's.
    private static func delivery(in form: AVAudioFormat?, _ block: @escaping AVAudioNodeTapBlock) -> Tap.Block {
        { buffer, time in
            guard let buffer = buffer as? AVAudioPCMBuffer else { return }
            block(
                form.flatMap { buffer.converted(to: $0) } ?? buffer,
                AVAudioTime(hostTime: time.hostTime, sampleTime: time.frame, atRate: time.sampleRate))
        }
    }

    private func check(_ format: AVAudioFormat, _ flowing: AVAudioFormat?, _ name: String) throws {
        guard format.commonFormat != .otherFormat, format.channelCount >= 1 else {
            throw PHASEError(
                .initializeFailed, "A tap on \(name) cannot give \(format); use a linear PCM format, or nil.")
        }
        guard let flowing, format.sampleRate != flowing.sampleRate || format.channelCount != flowing.channelCount else {
            return
        }
        throw PHASEError(
            .initializeFailed,
            "A tap on \(name) in \(format) has not the rate and channels of the engine's output, \(flowing); pass nil, or that format."
        )
    }

    /// What they had collected is delivered.
    func removeAll(_ control: EngineControl) {
        let gone = remove { _ in true }
        guard !gone.isEmpty else { return }
        control.outlets.end(gone)
        control.planChanged()
    }

    /// Frames that came too fast for their blocks.
    var droppedFrames: Int { all.reduce(0) { $0 + $1.droppedFrames } }
}
