// What every encoder checks.

extension PacketEncoder {
    /// Refuses planes that are not the stream's, and frames behind the end.
    func checkInput(_ planes: [UnsafePointer<Double>], _ frames: Int, isFinished: Bool) throws(CodecError) {
        let object = "\(format.codec) encoder"
        guard planes.count == format.channelCount, frames >= 0 else {
            throw CodecError(.outOfRange, object: object, found: "\(frames) frames in \(planes.count) planes",
                             rule: "There is one plane for each of the \(format.channelCount) channels.",
                             cure: "Give the planes of the encoder's format.")
        }
        guard !isFinished else {
            throw CodecError(.outOfRange, object: object, found: "frames after the end", rule: "After `finish` only `reset` goes on.",
                             cure: "Reset the encoder first.")
        }
    }
}
