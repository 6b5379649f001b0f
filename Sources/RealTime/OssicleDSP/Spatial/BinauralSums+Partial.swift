import OssicleCore

/// Sums of a part of the voices, which another thread may render.
extension BinauralSums {
    /// Floats of memory for a partial sum, all of them zero at first.
    package var floatCount: Int { State.floatCount(state.pointee.transform) }

    /// Control side. Empty sums of the same form.
    /// - Parameters:
    ///   - memory: `floatCount` floats, on a boundary of 64 bytes.
    ///   - state: room for one, not initialized; like the memory it is the caller's.
    package func partial(in memory: UnsafeMutablePointer<Float>, _ state: UnsafeMutablePointer<State>) -> BinauralSums {
        state.initialize(to: State(transform: self.state.pointee.transform, memory: memory))
        return BinauralSums(state: state)
    }

    /// Audio thread. Adds what was added to `partial`, and empties that.
    package func take(_ partial: BinauralSums) {
        let (into, from) = (state, partial.state)
        let count = from.pointee.transform.spectraCount
        if from.pointee.hasSteady {
            move(from.pointee.steady, to: into.pointee.steady, count)
            into.pointee.hasSteady = true
        }
        if from.pointee.hasTurning {
            move(from.pointee.old, to: into.pointee.old, count)
            move(from.pointee.new, to: into.pointee.new, count)
            into.pointee.hasTurning = true
        }
        (from.pointee.hasSteady, from.pointee.hasTurning) = (false, false)
    }

    private func move(_ from: UnsafeMutablePointer<Float>, to sums: UnsafeMutablePointer<Float>, _ count: Int) {
        for k in 0..<count { sums[k] += from[k] }
        from.update(repeating: 0, count: count)
    }
}
