import OssicleRender
import Synchronization

/// Where the music of an engine is: the beat, tempo and bar at a frame, for units that ask while they render.
///
/// Of several players the one that was started last counts, as long as it plays.
package final class MusicalClock: @unchecked Sendable {
    /// Musical time at a frame.
    package struct Place: BitwiseCopyable, Sendable {
        /// Quarter notes from the beginning of the sequence.
        package var beat = 0.0
        /// Quarter notes a minute, as they are played: times the rate.
        package var tempo = TempoMap.usual
        package var numerator = 4
        package var denominator = 4
        /// Beat at which the bar begins.
        package var downbeat = 0.0
        /// Frames to the next whole beat, at least 1.
        package var framesToBeat = 1
        package var isPlaying = false
        /// Number of the start, stop or jump since which music runs on.
        package var run = 0
        /// Seconds of the sequence.
        package var seconds = 0.0

        package init() {}
    }

    private struct State {
        let player: ObjectIdentifier
        let transport: PlayTransport
        let tempo: TempoMap
        let meters: MeterMap
        /// Seconds of the sequence while it does not play.
        let resting: Double
    }

    private let state = Published<State?>(nil)

    package init() {}

    /// Control side: a player has started, stopped, jumped, or has other tempi or meters.
    func show(
        _ player: SequencePlayer, _ transport: PlayTransport, tempo: TempoMap, meters: MeterMap, resting: Double
    ) {
        let new = State(
            player: ObjectIdentifier(player), transport: transport, tempo: tempo, meters: meters, resting: resting)
        state.change { state in
            if let state, state.transport.isPlaying, state.player != new.player, !transport.isPlaying { return }
            state = new
        }
    }

    /// Render side: the place at a frame of a clock of `rate` Hz; `nil` where nothing has been played yet.
    package func place(at frame: Int64, rate: Double) -> Place? {
        state.read { state in
            guard let state else { return nil }
            let transport = state.transport
            var place = Place()
            (place.isPlaying, place.run) = (transport.isPlaying, transport.run)
            // The frame at which the music begins is rounded as that of its events is.
            let start = (transport.start * rate).rounded()
            place.seconds =
                transport.isPlaying
                ? transport.origin + (Double(frame) - start) / rate * transport.rate : state.resting
            place.beat = state.tempo.beat(at: place.seconds)
            place.tempo = state.tempo.tempo(at: place.beat) * transport.rate
            let signature = state.meters.signature(at: place.beat)
            (place.numerator, place.denominator) = (signature.numerator, signature.denominator)
            let bars = ((place.beat - signature.beat) / signature.barLength).rounded(.down)
            place.downbeat = signature.beat + bars * signature.barLength
            let next = state.tempo.seconds(at: place.beat.rounded(.down) + 1)
            let frames = ((next - place.seconds) / transport.rate * rate).rounded()
            place.framesToBeat = frames.isFinite ? Int(min(max(frames, 1), 0x1p40)) : 1
            return place
        }
    }
}
