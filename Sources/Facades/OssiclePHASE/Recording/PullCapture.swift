import OssicleAVFAudio
import OssicleRecording
import OssicleRender

/// Writes down what the handler of a pull stream gives out, behind the audio thread. Under the engine's lock.
final class PullCapture {
    /// Where the audio thread copies it to.
    let source: TapSource
    /// Number of the stream's event.
    var event: UInt64 = 0
    private let identifier: String
    private let format: AVAudioFormat
    private weak var control: EngineControl?
    /// What has been read and not been written yet, and the frame of the stream at which it begins.
    private var piece: AVAudioPCMBuffer?
    private var start: Int64 = 0
    /// Frames that are known to be lost.
    private var lost = 0

    /// Frames of a command.
    private static let pieceLength: AVAudioFrameCount = 4096

    init(_ identifier: String, _ format: AVAudioFormat, _ control: EngineControl) {
        (self.identifier, self.format, self.control) = (identifier, format, control)
        // A second: updates come a hundred times a second.
        source = TapSource(channelCount: Int(format.channelCount), capacity: Int(format.sampleRate))
        control.recorder.keep(self)
    }

    /// Takes what has been copied, and writes down whole pieces; behind the last render call of the stream the rest as
    /// well.
    func transfer(isOver: Bool) {
        while source.read({ position, frames, copy in
            let end = start + Int64(piece?.frameLength ?? 0)
            if position != end || (piece?.frameLength ?? 0) + UInt32(frames) > Self.pieceLength { writePiece() }
            append(position, frames, copy)
        }) {}
        guard isOver else { return }
        writePiece()
        if source.dropped > lost {
            lost = source.dropped
            control?.noteGap("stream “\(identifier)” lost \(lost) frames")
        }
    }

    private func append(_ position: Int64, _ frames: Int, _ copy: ([UnsafeMutablePointer<Float>]) -> Void) {
        if piece == nil {
            piece = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: Self.pieceLength)
            start = position
        }
        guard let piece, let channels = piece.floatChannelData else { return }
        copy((0..<source.channelCount).map { channels[$0] + Int(piece.frameLength) })
        piece.frameLength += AVAudioFrameCount(frames)
    }

    private func writePiece() {
        guard let piece, piece.frameLength > 0 else { return }
        control?.note { .pulled(event, node: identifier, piece.soundRecord($0), from: start) }
        self.piece = nil
    }
}

/// Plays what `PullCapture` wrote, at the same frames of the stream.
final class CapturedPull {
    private let pieces: [(start: Int64, sound: AVAudioPCMBuffer)]
    private var place = 0

    /// - Parameter pieces: by the frame at which each begins.
    init(_ pieces: [(start: Int64, sound: AVAudioPCMBuffer)]) { self.pieces = pieces }

    /// A `PHASEPullStreamRenderHandler`. Frames that were not captured were silent.
    func render(
        _ isSilence: UnsafeMutablePointer<ObjCBool>, from first: Int64, _ count: Int,
        into list: UnsafeMutableAudioBufferListPointer
    ) {
        let end = first + Int64(count)
        while place < pieces.count, pieces[place].start + Int64(pieces[place].sound.frameLength) <= first { place += 1 }
        guard place < pieces.count, pieces[place].start < end else {
            isSilence.pointee = true
            return
        }
        for (channel, buffer) in list.enumerated() {
            guard let plane = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
            plane.update(repeating: 0, count: count)
            for (start, sound) in pieces[place...].prefix(while: { $0.start < end }) {
                let (from, to) = (max(first, start), min(end, start + Int64(sound.frameLength)))
                guard from < to, let samples = sound.floatChannelData?[channel] else { continue }
                (plane + Int(from - first)).update(from: samples + Int(from - start), count: Int(to - from))
            }
        }
    }
}
