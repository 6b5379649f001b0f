import OssicleAudioToolbox
import OssicleMIDI
import Synchronization

/// Tells a unit in an engine where the music is while it renders a block: beat, tempo, bar and transport.
final class UnitBeats: @unchecked Sendable {
    /// Frames by which the unit's clock is ahead of the engine's.
    let offset = Atomic<Int64>(0)
    /// Control side: the engine's music.
    var find: () -> MusicalClock? = { nil }
    /// Whether the unit's blocks are those of here.
    private var isLent = false
    // Render side.
    private var start: Int64 = 0
    private var rate = 48_000.0
    private var isFresh = true
    private var lastRun = -1
    private var hasChanged = false
    private var place: MusicalClock.Place?
    private var clock: MusicalClock?

    /// Before allocation. What the unit's owner has set stays.
    func lend(to unit: AUAudioUnit) {
        clock = find()
        guard clock != nil, isLent || (unit.musicalContextBlock == nil && unit.transportStateBlock == nil) else {
            return
        }
        isLent = true
        unit.musicalContextBlock = { [weak self] tempo, numerator, denominator, beat, toBeat, downbeat in
            guard let place = self?.current() else { return false }
            tempo?.pointee = place.tempo
            numerator?.pointee = Double(place.numerator)
            denominator?.pointee = place.denominator
            beat?.pointee = place.beat
            toBeat?.pointee = place.framesToBeat
            downbeat?.pointee = place.downbeat
            return true
        }
        unit.transportStateBlock = { [weak self] flags, position, cycleStart, cycleEnd in
            guard let self, let place = current() else { return false }
            flags?.pointee = place.isPlaying ? .moving : []
            if hasChanged { flags?.pointee.insert(.changed) }
            position?.pointee = place.seconds * rate
            cycleStart?.pointee = 0
            cycleEnd?.pointee = 0
            return true
        }
    }

    /// Render side: a block of the unit begins.
    func begin(at start: Int64, rate: Double) { (self.start, self.rate, isFresh) = (start, rate, true) }

    /// Of the block's first frame; computed when it is first asked for.
    private func current() -> MusicalClock.Place? {
        guard isFresh else { return place }
        isFresh = false
        place = clock?.place(at: start - offset.load(ordering: .relaxed), rate: rate)
        if let place {
            // Whether it plays is a part of the number.
            let run = place.run << 1 | (place.isPlaying ? 1 : 0)
            (hasChanged, lastRun) = (run != lastRun, run)
        }
        return place
    }
}
