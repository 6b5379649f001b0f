import Foundation
import OssicleCore
import OssicleRender

/// A synthesiser that a unit renders, and what the control side exchanges with it: instruments and settings.
///
///     load ─▶ cell ─▶ the next render call takes it; the old instrument is kept until it has
///
/// Calls of the control side come from any thread; those of the render side from one at a time.
package final class InstrumentPlayer: @unchecked Sendable {
    /// An instrument and the program that all channels begin with.
    private struct Setup: BitwiseCopyable {
        var view: InstrumentView?
        /// The program of all channels; −1 leaves them as they are.
        var bank = -1
        var program: UInt8 = 0
        /// Counts what was loaded.
        var generation: Int64 = 0
    }

    private let synthesiser: UnsafeMutablePointer<Synthesiser>
    private let setups: LatestValueCell<Setup>
    private let settings: LatestValueCell<Synthesiser.Settings>
    private let taken = PublishedPosition()
    private let lock = NSLock()
    // Under the lock.
    private var generation: Int64 = 0
    /// Instruments that the render side may read.
    private var kept: [(generation: Int64, instrument: Instrument)] = []

    /// - Parameter older: whose channels keep what their messages have set; it must not be rendered any more.
    package init(sampleRate: Double, settings initial: Synthesiser.Settings, after older: InstrumentPlayer? = nil) {
        synthesiser = .allocate(capacity: 1)
        synthesiser.initialize(to: Synthesiser(sampleRate: sampleRate, settings: initial))
        (setups, settings) = (LatestValueCell(Setup()), LatestValueCell(initial))
        guard let older else { return }
        if let last = older.lock.withLock({ older.kept.last }) {
            (generation, kept) = (1, [(1, last.instrument)])
            synthesiser.pointee.take(last.instrument.table.view)
            taken.store(1)
        }
        // What was loaded and not taken before counts as well.
        if older.setups.advance() { older.adopt(older.setups.current) }
        synthesiser.pointee.adoptChannels(of: older.synthesiser.pointee)
    }

    deinit {
        synthesiser.deinitialize(count: 1).deallocate()
        setups.deallocate()
        settings.deallocate()
    }

    // MARK: Control side

    /// Plays an instrument from the next render call on; what sounds ends.
    /// - Parameter program: for all channels; `nil` leaves them with theirs.
    package func load(_ instrument: Instrument, program: ProgramNumber? = nil) {
        lock.withLock {
            generation += 1
            let read = taken.load()
            kept.removeAll { $0.generation < read }
            kept.append((generation, instrument))
            setups.write(
                Setup(
                    view: instrument.table.view, bank: program?.bank ?? -1,
                    program: UInt8(clamping: program?.number ?? 0), generation: generation))
        }
    }

    /// Follows settings from the next render call on. One thread at a time; takes no lock and no memory.
    package func set(_ new: Synthesiser.Settings) { settings.write(new) }

    /// Silence, and controllers at their beginning. Not while it is rendered.
    package func reset() { synthesiser.pointee.reset() }

    // MARK: Render side

    /// At the beginning of each render call.
    package func begin() {
        if let new = settings.takeIfNew() { synthesiser.pointee.take(new) }
        if let setup = setups.takeIfNew() { adopt(setup) }
    }

    private func adopt(_ setup: Setup) {
        synthesiser.pointee.take(setup.view)
        if setup.bank >= 0 { synthesiser.pointee.choose(bank: setup.bank, program: setup.program) }
        taken.store(setup.generation)
    }

    /// A MIDI 1.0 message, with the next frame.
    package func take(_ bytes: UnsafeRawBufferPointer) { synthesiser.pointee.take(bytes) }

    /// A Universal MIDI packet, with the next frame.
    package func take(_ words: (UInt32, UInt32)) { synthesiser.pointee.take(words) }

    package func render(_ frames: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
        synthesiser.pointee.render(frames, left: left, right: right)
    }
}
