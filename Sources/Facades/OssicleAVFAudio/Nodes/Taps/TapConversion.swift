import OssicleCoreAudioTypes

/// Brings what a tap collects to another rate and other channels, in buffers of one size. On the tap's queue, which
/// calls one buffer at a time. A flow whose end falls on that of a buffer keeps its last frames, less than two buffers,
/// until the next flow begins.
final class TapConversion: @unchecked Sendable {
    private let format: AVAudioFormat
    private let size: Int
    /// Frames of the tap's own buffers: a shorter one is the end of a flow.
    private let sourceSize: Int
    private let block: AVAudioNodeTapBlock
    private var converter: AVAudioConverter?
    /// What the converter gets next.
    private var input: AVAudioPCMBuffer?
    private var filling: AVAudioPCMBuffer?
    /// A frame that has come out, by number, and its time in nanoseconds.
    private var anchor = (frame: 0.0, hostTime: UInt64(0))
    /// Of the next frame that comes out.
    private var position: Int64 = 0
    /// Of the next frame that is to come in.
    private var expected: Int64?

    /// - Parameters:
    ///   - format: linear PCM.
    ///   - size: frames of each buffer.
    ///   - sourceSize: frames of the buffers that come in.
    init(to format: AVAudioFormat, size: Int, sourceSize: Int, _ block: @escaping AVAudioNodeTapBlock) {
        (self.format, self.size, self.sourceSize, self.block) = (format, size, sourceSize, block)
    }

    /// Frames of source buffers that become about `size` frames.
    static func sourceSize(for size: Int, from source: AVAudioFormat, to target: AVAudioFormat) -> Int {
        Int((Double(size) * source.sampleRate / target.sampleRate).rounded())
    }

    func take(_ buffer: AVAudioPCMBuffer, _ time: AVAudioTime) {
        if buffer.format != converter?.inputFormat || expected.map({ $0 != time.sampleTime }) == true {
            finish()
            guard let made = AVAudioConverter(from: buffer.format, to: format) else { return }
            made.downmix = true
            converter = made
            position = Int64(Double(time.sampleTime) * format.sampleRate / buffer.format.sampleRate)
        }
        let ratio = format.sampleRate / buffer.format.sampleRate
        anchor = (Double(time.sampleTime) * ratio, time.hostTime)
        expected = time.sampleTime + Int64(buffer.frameLength)
        convert(buffer, isLast: false)
        if Int(buffer.frameLength) < sourceSize { finish() }
    }

    /// Gives what is left of a flow, and begins another.
    private func finish() {
        if converter != nil { convert(nil, isLast: true) }
        if let filling, filling.frameLength > 0 { give(filling) }
        (converter, filling, expected) = (nil, nil, nil)
    }

    private func convert(_ buffer: AVAudioPCMBuffer?, isLast: Bool) {
        guard let converter else { return }
        input = buffer
        while let piece = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(size)) {
            let status = converter.convert(to: piece, error: nil) { [self] _, status in
                defer { input = nil }
                status.pointee = input != nil ? .haveData : isLast ? .endOfStream : .noDataNow
                return input
            }
            append(piece)
            if status != .haveData { return }
        }
    }

    private func append(_ piece: AVAudioPCMBuffer) {
        var done = 0
        while done < Int(piece.frameLength) {
            if filling == nil { filling = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(size)) }
            guard let filling else { return }
            let filled = Int(filling.frameLength)
            let run = min(Int(piece.frameLength) - done, size - filled)
            copy(piece, from: done, to: filling, at: filled, run)
            filling.frameLength = AVAudioFrameCount(filled + run)
            done += run
            if filled + run == size { give(filling) }
        }
    }

    private func copy(
        _ source: AVAudioPCMBuffer, from: Int, to target: AVAudioPCMBuffer, at place: Int, _ frames: Int
    ) {
        let size = Int(format.streamDescription.pointee.mBytesPerFrame)
        let pairs = zip(
            UnsafeMutableAudioBufferListPointer(source.mutableAudioBufferList),
            UnsafeMutableAudioBufferListPointer(target.mutableAudioBufferList))
        for (old, new) in pairs {
            guard let source = old.mData, let target = new.mData else { continue }
            (target + place * size).copyMemory(from: source + from * size, byteCount: frames * size)
        }
    }

    private func give(_ buffer: AVAudioPCMBuffer) {
        filling = nil
        let nanoseconds = (Double(position) - anchor.frame) / format.sampleRate * 1e9
        let hostTime = anchor.hostTime == 0 ? 0 : Int64(anchor.hostTime) + Int64(nanoseconds)
        block(
            buffer,
            AVAudioTime(hostTime: UInt64(max(hostTime, 0)), sampleTime: position, atRate: format.sampleRate))
        position += Int64(buffer.frameLength)
    }
}
