// Beats and seconds.

/// How fast beats go by: one tempo after the other, each from a beat to the next change.
///
///     seconds(beat) = seconds of the change before + (beat − beat of the change) · 60 / tempo
///
/// Until the first change it is 120, and before beat 0 as at beat 0. Immutable; read on any thread, the render thread
/// included.
package final class TempoMap: Sendable {
    /// A tempo and where it begins.
    package struct Change: BitwiseCopyable, Hashable, Sendable {
        package var beat: Double
        /// Beats per minute, within `TempoMap.range`.
        package var tempo: Double

        package init(beat: Double, tempo: Double) { (self.beat, self.tempo) = (beat, tempo) }
    }

    /// Beats per minute that are believed; MIDI files can name 3.6 … 60,000,000.
    package static let range = 1e-3...6e7
    /// Beats per minute where no change says otherwise, as in MIDI files.
    package static let usual = 120.0

    private struct Segment: BitwiseCopyable {
        let beat: Double
        let seconds: Double
        /// Seconds of a beat.
        let length: Double
        let tempo: Double
    }

    private nonisolated(unsafe) let segments: UnsafeMutableBufferPointer<Segment>

    /// - Parameter changes: in order of beats; of several at one beat the last counts. Those that are not finite, and
    ///   tempi that are not above 0, are left out; other tempi are clamped to `range`.
    package init(_ changes: [Change]) {
        var all: [Segment] = []
        if (changes.first?.beat ?? 1) > 0 { all.append(Segment(beat: 0, seconds: 0, length: 0.5, tempo: Self.usual)) }
        for change in changes where change.beat.isFinite && change.tempo.isFinite && change.tempo > 0 {
            let tempo = min(max(change.tempo, Self.range.lowerBound), Self.range.upperBound)
            var seconds = 0.0
            if let last = all.last {
                if change.beat < last.beat { continue }
                seconds = last.seconds + (change.beat - last.beat) * last.length
                if change.beat == last.beat { all.removeLast() }
            }
            all.append(Segment(beat: change.beat, seconds: seconds, length: 60 / tempo, tempo: tempo))
        }
        if all.isEmpty { all = [Segment(beat: 0, seconds: 0, length: 0.5, tempo: Self.usual)] }
        let shift = -(all[0].seconds - all[0].beat * all[0].length)
        // Beat 0 is at 0 seconds, wherever the first change lies.
        let placed = all.map {
            Segment(beat: $0.beat, seconds: $0.seconds + shift, length: $0.length, tempo: $0.tempo)
        }
        segments = .allocate(capacity: placed.count)
        _ = segments.initialize(from: placed)
    }

    /// 120 beats per minute throughout.
    package convenience init() { self.init([]) }

    deinit { segments.deallocate() }

    /// All changes, at least one.
    package var changes: [Change] { segments.map { Change(beat: $0.beat, tempo: $0.tempo) } }

    /// Seconds from beat 0 to a beat; before it they are negative.
    package func seconds(at beat: Double) -> Double {
        let segment = segments[index { $0.beat <= beat }]
        return segment.seconds + (beat - segment.beat) * segment.length
    }

    /// The beat at a time in seconds from beat 0.
    package func beat(at seconds: Double) -> Double {
        let segment = segments[index { $0.seconds <= seconds }]
        return segment.beat + (seconds - segment.seconds) / segment.length
    }

    /// Beats per minute at a beat.
    package func tempo(at beat: Double) -> Double { segments[index { $0.beat <= beat }].tempo }

    /// The last segment that `begins`, else the first: binary search.
    private func index(_ begins: (Segment) -> Bool) -> Int {
        var (low, high) = (0, segments.count)
        while low < high {
            let middle = (low + high) / 2
            if begins(segments[middle]) { low = middle + 1 } else { high = middle }
        }
        return max(low - 1, 0)
    }
}
