import OssicleCore
import OssicleDSP

/// Sums that renderers add to without a port between them: of the ears, or of an ambisonic bus. A plain handle.
package enum SharedSum: BitwiseCopyable, Hashable {
    case ears(BinauralSums)
    case field(FieldSums)

    /// Control side. Empty sums of the same form for one strand, in memory of its plan.
    package func partial(in arena: RenderArena) -> SharedSum {
        switch self {
        case .ears(let sums):
            let memory = arena.zeroed(count: sums.floatCount)
            return .ears(sums.partial(in: memory, arena.room(for: BinauralSums.State.self, count: 1)))
        case .field(let sums):
            let memory = arena.zeroed(count: sums.allCount * Grid.quantum)
            let channels = (0..<sums.allCount).map { memory + $0 * Grid.quantum }
            return .field(
                FieldSums(
                    channels: UnsafePointer(arena.base(of: arena.copy(channels))),
                    isUsed: arena.filled(with: false, count: 1), upper: sums.upper))
        }
    }

    /// Audio thread. Adds what a partial sum of this one holds, and empties it.
    func take(_ partial: SharedSum, _ frames: Int) {
        switch (self, partial) {
        case (.ears(let sums), .ears(let partial)): sums.take(partial)
        case (.field(let sums), .field(let partial)): sums.take(partial, frames)
        case (.ears, .field), (.field, .ears): break
        }
    }
}

extension FieldSums {
    fileprivate func take(_ partial: FieldSums, _ frames: Int) {
        guard partial.isUsed.pointee else { return }
        for channel in 0..<allCount {
            Mixing.add(partial.channels[channel], into: channels[channel], frames)
            Mixing.clear(partial.channels[channel], frames)
        }
        (isUsed.pointee, partial.isUsed.pointee) = (true, false)
    }
}

/// What the partition of a plan has to know of its renderers.
extension RendererReference {
    /// The sums that it adds to.
    package func forEachSum(_ body: (SharedSum) -> Void) {
        _ = adding { sum in
            body(sum)
            return sum
        }
    }

    /// The same renderer with others in the place of the sums that it adds to.
    package func adding(to other: (SharedSum) -> SharedSum) -> RendererReference {
        func ears(_ sums: BinauralSums) -> BinauralSums {
            if case .ears(let other) = other(.ears(sums)) { other } else { sums }
        }
        func field(_ sums: FieldSums) -> FieldSums {
            if case .field(let other) = other(.field(sums)) { other } else { sums }
        }
        func fields(_ targets: FieldTargets) -> FieldTargets {
            FieldTargets(common: targets.common.map(field), listener: targets.listener.map(field))
        }
        return switch self {
        case .spatial(let renderer, let targets, let field):
            .spatial(
                renderer,
                targets.map {
                    BinauralTargets(
                        common: $0.common.map(ears), listener: $0.listener.map(ears), tap: $0.tap.map(ears))
                }, field.map(fields))
        case .earlyReflections(let renderer, let targets): .earlyReflections(renderer, fields(targets))
        case .paths(let renderer, let targets): .paths(renderer, fields(targets))
        case .reverb(let renderer, let sums): .reverb(renderer, field(sums))
        case .lateField(let renderer, let sums): .lateField(renderer, field(sums))
        case .convolution(let renderer, let sums): .convolution(renderer, field(sums))
        case .environmentInput(let renderer, let sums): .environmentInput(renderer, sums.map(field))
        default: self
        }
    }

    /// The sums that it plays.
    package var playedSum: SharedSum? {
        switch self {
        case .binauralMix(let renderer): .ears(renderer.pointee.sums)
        case .fieldMix(let renderer): .field(renderer.pointee.sums)
        default: nil
        }
    }

    /// Whether it calls code of the client's, which is to happen on the audio thread.
    package var runsClientCode: Bool {
        switch self {
        case .block(let renderer): renderer.pointee.cost == nil
        case .stream: true
        case .domain(_, let plan): plan.pointee.view.pointee.runsClientCode
        default: false
        }
    }

    /// Of a domain, whether its plan has work for several threads.
    var isDivided: Bool {
        if case .domain(_, let plan) = self { plan.pointee.view.pointee.isDivided } else { false }
    }

    /// What a quantum of it costs while it sounds, in µs of one core of 2023: an estimate by which plans are divided,
    /// alike on every machine.
    package var cost: Float {
        switch self {
        case .spatial: 1.3
        case .stream, .queuePlayer, .environmentInput, .dynamics, .delay, .equalizer, .master, .exit(.rate): 1
        case .player, .channels, .matrix, .mix, .crossFade, .tap, .sampleDelay, .exit(.stretch): 0.2
        case .block(let renderer): renderer.pointee.cost ?? 1
        case .binauralMix, .environmentOutput, .distortion, .peakLimiter: 2
        case .ambient, .ambisonic, .fieldMix, .earlyReflections, .multibandCompressor, .environmentReverb, .reverb: 6
        case .paths, .lateField, .reverbEffect, .matrixReverb: 10
        case .convolution: 25
        case .domain(_, let plan): plan.pointee.view.pointee.cost + plan.pointee.costOfExits
        }
    }
}

extension DomainRenderer.Plan {
    fileprivate var costOfExits: Float {
        (0..<exitCount).reduce(0) { sum, index in
            if case .stretch = exits[index].reference { sum + 14 } else { sum + 1 }
        }
    }
}
