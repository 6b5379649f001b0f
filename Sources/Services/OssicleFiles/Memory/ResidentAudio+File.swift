// Loading a whole file.

extension ResidentAudio {
    /// Decodes the file at `path`. Counts the frames that are there: a file cut short gives its readable part.
    /// - Parameter limit: frames to decode at the most.
    package convenience init(path: String, atMost limit: Int64 = .max) throws(AudioFileError) {
        let reader = try AudioFileReader(path: path)
        let claimed = min(reader.info.frameCount, max(limit, 0))
        // A header can claim anything; memory follows what is decoded, in steps that double.
        let first = Int(min(claimed, 1 << 20))
        guard let store = PlanarStore(channelCount: reader.info.channelCount, frames: first) else { throw Self.tooLarge(path, claimed) }
        var count = try reader.read(into: store.planes, frames: first)
        while count == store.capacity, Int64(count) < claimed {
            let step = Int(min(claimed, Int64(count) * 2)) - count
            guard store.grow(to: count + step) else { throw Self.tooLarge(path, claimed) }
            count += try reader.read(into: store.planes.map { $0 + count }, frames: step)
        }
        guard count > 0 || claimed == 0 else {
            throw AudioFileError(.damaged, path: path, found: "no frame of \(claimed) can be decoded", rule: "A file must hold the frames it tells of.",
                                 cure: "Write or copy the file again.")
        }
        self.init(store: store, frameCount: count, sampleRate: reader.info.sampleRate, channelLabels: reader.info.channelLabels,
                  nonFiniteCount: reader.nonFiniteCount, warnings: reader.warnings)
    }

    private static func tooLarge(_ path: String, _ frames: Int64) -> AudioFileError {
        AudioFileError(.tooLarge, path: path, found: "\(frames) frames do not fit into memory", rule: "A resident sound lies in memory as a whole.",
                       cure: "Stream the file.")
    }
}
