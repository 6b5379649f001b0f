import Synchronization

extension HeadFilters {
    /// The built-in head at an engine's sample rate, made once and kept for good. Control side.
    package static func shared(sampleRate: Double) throws(HeadDataError) -> HeadFilters {
        if let made = made.withLock({ $0[sampleRate] }) { return made }
        let head = try HeadFilters(sampleRate: sampleRate)
        return made.withLock { heads in
            let kept = heads[sampleRate] ?? head
            heads[sampleRate] = kept
            return kept
        }
    }

    private static let made = Mutex<[Double: HeadFilters]>([:])
}
