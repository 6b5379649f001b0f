import COssicle
import OssicleCore

/// What the binaural voices of one output have in common: they add their filtered spectra here, and only the sums go
/// back to time.
///
///     voices at rest ──▶ + steady ──────────┐
///     voices that turn ┬▶ + old ears ─(1 − w)┼─▶ inverse transform ──▶ the next quantum
///                      └▶ + new ears ─── w ──┘                             w: 0 to 1 over the quantum
///
/// One cross-fade serves all voices that turn. A quantum goes out while the next is gathered, so all that comes through
/// here is one quantum late, however calls are cut: `latency`. Audio thread, but for `init`.
package struct BinauralMix: ~Copyable {
    /// Frames.
    package static var latency: Int { Grid.quantum }

    /// Where voices add: a plain handle, valid as long as the mix.
    package let sums: BinauralSums
    private let memory: SampleMemory

    /// - Parameter tapCount: of the voices' filters.
    package init(tapCount: Int) {
        let transform = EarTransform(tapCount: tapCount)
        memory = SampleMemory(count: BinauralSums.State.floatCount(transform))
        let state = UnsafeMutablePointer<BinauralSums.State>.allocate(capacity: 1)
        state.initialize(to: BinauralSums.State(transform: transform, memory: memory.pointer))
        sums = BinauralSums(state: state)
    }

    deinit { sums.state.deallocate() }

    package func reset() {
        memory.clear()
        (sums.state.pointee.hasSteady, sums.state.pointee.hasTurning, sums.state.pointee.isReady) = (
            false, false, false
        )
    }

    /// Adds `frames` frames of the quantum that is ready to both ears; with the last of them, the next one is made of
    /// what the voices have added by then.
    /// - Parameter offset: frames since the grid line; the block does not cross the next one.
    /// - Returns: whether there was anything to add.
    package func play(
        addingToLeft left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, offset: Int, _ frames: Int
    ) -> Bool {
        let state = sums.state
        let sounds = state.pointee.isReady
        if sounds {
            let (ready, ahead) = (state.pointee.ready + offset, state.pointee.ready + Grid.quantum + offset)
            for i in 0..<frames { left[i] += ready[i] }
            for i in 0..<frames { right[i] += ahead[i] }
        }
        if offset + frames == Grid.quantum { sums.makeReady() }
        return sounds
    }
}

/// The sums of a `BinauralMix`, as its voices see them.
package struct BinauralSums: BitwiseCopyable, Hashable, @unchecked Sendable {
    package struct State: BitwiseCopyable {
        let transform: EarTransform
        let steady, old, new: UnsafeMutablePointer<Float>
        /// A quantum of the left, then of the right ear.
        let ready: UnsafeMutablePointer<Float>
        /// For the two parts of a transform, of a voice's or of a sum's: one after the other, on one thread.
        let scratch: UnsafeMutablePointer<Float>
        var hasSteady = false, hasTurning = false, isReady = false
    }

    let state: UnsafeMutablePointer<State>

    /// Of the transform.
    var size: Int { state.pointee.transform.size }

    /// Adds both ears' filtered spectra.
    func add(_ spectra: UnsafePointer<Float>) {
        let steady = state.pointee.steady
        for k in 0..<state.pointee.transform.spectraCount { steady[k] += spectra[k] }
        state.pointee.hasSteady = true
    }

    /// Adds both ears' spectra as they were filtered, and as they are from the next quantum on.
    func add(from before: UnsafePointer<Float>, to after: UnsafePointer<Float>) {
        let (old, new) = (state.pointee.old, state.pointee.new)
        for k in 0..<state.pointee.transform.spectraCount { old[k] += before[k] }
        for k in 0..<state.pointee.transform.spectraCount { new[k] += after[k] }
        state.pointee.hasTurning = true
    }

    /// Adds a quantum of both ears' sound, given as its transform, through filters that stay.
    fileprivate func add(_ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, filters: UnsafePointer<Float>)
    {
        ossicle_ears_add(real, imaginary, state.pointee.transform.size, filters, state.pointee.steady)
        state.pointee.hasSteady = true
    }

    /// Through filters that give way to new ones during the quantum.
    fileprivate func add(
        _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, from old: UnsafePointer<Float>,
        to new: UnsafePointer<Float>
    ) {
        ossicle_ears_add_pair(
            real, imaginary, state.pointee.transform.size, old, new, state.pointee.old, state.pointee.new)
        state.pointee.hasTurning = true
    }

    /// Through filters that turn to a place during the quantum, and are there or on the way afterwards.
    func turn(
        _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, filters: UnsafeMutablePointer<Float>,
        to place: HRTFPlace, of head: HRTFTable, _ share: Float
    ) {
        var way = head.way(to: place, share)
        ossicle_ears_turn(
            real, imaginary, state.pointee.transform.size, &way, filters, state.pointee.old, state.pointee.new)
        state.pointee.hasTurning = true
    }
}

/// The sums that one voice adds to: of the mix that all hear, of the mix of one listener, of a tap. Each gets the same
/// bytes as if it were alone.
package struct BinauralTargets: BitwiseCopyable, Sendable {
    package var common, listener, tap: BinauralSums?

    package init(common: BinauralSums? = nil, listener: BinauralSums? = nil, tap: BinauralSums? = nil) {
        (self.common, self.listener, self.tap) = (common, listener, tap)
    }

    /// The sums, where there is but one set.
    var only: BinauralSums? {
        switch (common, listener, tap) {
        case (let sums?, nil, nil), (nil, let sums?, nil), (nil, nil, let sums?): sums
        default: nil
        }
    }

    /// Memory for a voice's transform while it adds to them.
    var scratch: UnsafeMutablePointer<Float>? { (common ?? listener ?? tap)?.state.pointee.scratch }

    /// Filters that stay.
    func add(_ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, filters: UnsafePointer<Float>) {
        common?.add(real, imaginary, filters: filters)
        listener?.add(real, imaginary, filters: filters)
        tap?.add(real, imaginary, filters: filters)
    }

    /// Filters that give way to new ones during the quantum.
    func add(
        _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, from old: UnsafePointer<Float>,
        to new: UnsafePointer<Float>
    ) {
        common?.add(real, imaginary, from: old, to: new)
        listener?.add(real, imaginary, from: old, to: new)
        tap?.add(real, imaginary, from: old, to: new)
    }
}

extension BinauralSums.State {
    init(transform: EarTransform, memory: UnsafeMutablePointer<Float>) {
        self.transform = transform
        let count = transform.spectraCount
        (steady, old, new, ready) = (memory, memory + count, memory + 2 * count, memory + 3 * count)
        scratch = ready + 2 * Grid.quantum
    }

    static func floatCount(_ transform: EarTransform) -> Int {
        3 * transform.spectraCount + 2 * Grid.quantum + 2 * transform.partCount
    }

    /// The last quantum of what the spectra give, at the beginning of `left` and `right`.
    fileprivate func bringBack(
        _ spectra: UnsafePointer<Float>, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>
    ) {
        transform.inverse(spectra, left: left, right: right)
        left.update(from: left + (transform.size - Grid.quantum), count: Grid.quantum)
        right.update(from: right + (transform.size - Grid.quantum), count: Grid.quantum)
    }
}

extension BinauralSums {
    /// Sums become sound, and are cleared. Flags change one by one: what is constant here is read by the control side.
    fileprivate func makeReady() {
        let flags = state
        let sums = flags.pointee
        let hasTurning = sums.hasTurning
        flags.pointee.isReady = sums.hasSteady || hasTurning
        guard sums.hasSteady || hasTurning else { return }
        let count = sums.transform.spectraCount
        let (steady, old, new, ready) = (sums.steady, sums.old, sums.new, sums.ready)
        let (left, right) = (sums.scratch, sums.scratch + sums.transform.partCount)
        if hasTurning {
            // old + (new − old)·w takes two transforms, whether or not there is a steady sum.
            for k in 0..<count {
                new[k] -= old[k]
                steady[k] += old[k]
            }
        }
        sums.bringBack(steady, left, right)
        ready.update(from: left, count: Grid.quantum)
        (ready + Grid.quantum).update(from: right, count: Grid.quantum)
        if hasTurning {
            sums.bringBack(new, left, right)
            for i in 0..<Grid.quantum {
                let weight = Float(i) * (1 / Float(Grid.quantum))
                ready[i] += left[i] * weight
                ready[Grid.quantum + i] += right[i] * weight
            }
        }
        steady.update(repeating: 0, count: hasTurning ? 3 * count : count)
        (flags.pointee.hasSteady, flags.pointee.hasTurning) = (false, false)
    }
}
