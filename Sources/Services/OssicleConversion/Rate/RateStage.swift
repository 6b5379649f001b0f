import OssicleCodecs

/// Changes the rate of a stream. When the input has ended, N frames have become N · ratio, rounded to the nearest,
/// halves up.
final class RateStage: FrameSource {
    /// Rates beyond this ratio are refused; nothing audible needs it.
    static let largestRatio = 256.0
    /// Silence that brings nothing out any more shows a failure, not a long filter.
    private static let longestSilence = 1 << 24

    /// Frames of input the client should give before the first moment of the output and behind the last: they shape the
    /// sound there.
    let priming: (leading: Int, trailing: Int)
    private let source: any FrameSource
    private let resampler: any RateResampler
    private let sourceRate: Double
    private let targetRate: Double
    private let silence: PlaneMemory
    /// Frames of silence to put ahead of the sound, and output frames to drop.
    private var lead: Int
    private var drop: Int
    /// Frames of input that never come out: those before the first output sample.
    private let unheard: Int
    private var framesIn = 0
    private var framesOut = 0
    private var isDraining = false
    private var silenceBehind = 0

    var channelCount: Int { source.channelCount }

    /// Rates are checked by the caller: positive, finite and at most `largestRatio` apart.
    init(
        _ source: any FrameSource, from sourceRate: Double, to targetRate: Double, recipe: RateRecipe,
        priming: ConversionSettings.PrimeMethod
    ) throws(ConversionError) {
        self.source = source
        self.sourceRate = sourceRate
        self.targetRate = targetRate
        resampler = try RateResamplers.make(
            from: sourceRate, to: targetRate, channelCount: source.channelCount, recipe: recipe)
        silence = PlaneMemory(channelCount: 1, capacity: SourcePiece.longest)
        let framesPerSlowFrame = max(1, sourceRate / targetRate)
        let leading = Int((Double(recipe.leading) * framesPerSlowFrame).rounded(.up))
        let trailing = Int((Double(recipe.trailing) * framesPerSlowFrame).rounded(.up))
        switch priming {
        case .normal:
            self.priming = (0, trailing)
            (lead, drop, unheard) = (0, 0, 0)
        case .none:
            self.priming = (0, 0)
            (lead, drop, unheard) = (trailing, 0, 0)
        case .pre:
            self.priming = (leading, trailing)
            lead = Self.leadThatMeetsTheGrid(unheard: leading, ratio: targetRate / sourceRate)
            unheard = leading
            drop = Int((Double(lead + leading) * targetRate / sourceRate).rounded())
        }
    }

    /// Output frames fall on multiples of the output's period. So that one falls on the first audible input frame,
    /// up to 4095 frames of silence go ahead of all: as many as bring the two nearest to each other.
    private static func leadThatMeetsTheGrid(unheard: Int, ratio: Double) -> Int {
        func misfit(_ lead: Int) -> Double {
            let position = Double(lead + unheard) * ratio
            return (position - position.rounded()).magnitude
        }
        return (0..<4096).min { misfit($0) + 1e-9 < misfit($1) } ?? 0
    }

    func next(_ limit: Int, _ pull: Pull) throws(ConversionError) -> SourcePiece {
        while true {
            if let frames = try ready(limit) { return .frames(frames) }
            if isDraining {
                guard framesOut < total else { return .ended }
                try drain()
            } else if lead > 0 {
                try putSilence(&lead)
            } else {
                switch try source.next(demand(for: limit), pull) {
                case .frames(let frames):
                    try resampler.put(frames)
                    framesIn += frames.count
                case .ranDry: return .ranDry
                case .ended: isDraining = true
                }
            }
        }
    }

    /// What the resampler has, less what is to be dropped and what is beyond the stream's end.
    private func ready(_ limit: Int) throws(ConversionError) -> PlanarFrames? {
        while drop > 0 {
            let dropped = try resampler.take(drop).count
            guard dropped > 0 else { return nil }
            drop -= dropped
        }
        let frames = try resampler.take(isDraining ? min(limit, total - framesOut) : limit)
        framesOut += frames.count
        return frames.count > 0 ? frames : nil
    }

    /// Input frames for `limit` output frames, as far as pieces go.
    private func demand(for limit: Int) -> Int {
        Int(min(max(1, (Double(limit) * sourceRate / targetRate).rounded(.up)), Double(SourcePiece.longest)))
    }

    private var total: Int {
        let exact = (Double(max(0, framesIn - unheard)) * targetRate / sourceRate).rounded(.toNearestOrAwayFromZero)
        return max(framesOut, Int(exactly: exact) ?? Int.max)
    }

    private func putSilence(_ count: inout Int) throws(ConversionError) {
        let frames = min(count, silence.capacity)
        try resampler.put(
            PlanarFrames(planes: Array(repeating: UnsafePointer(silence.planes[0]), count: channelCount), count: frames)
        )
        count -= frames
    }

    /// Silence behind the sound brings its end out. libsoxr's own way to end a stream cuts elsewhere.
    private func drain() throws(ConversionError) {
        var count = demand(for: 512)
        silenceBehind += count
        guard silenceBehind < Self.longestSilence else {
            throw ConversionError(
                .failed, found: "a rate converter that holds back \(total - framesOut) frames",
                rule: "Silence behind a sound brings out all of it.",
                cure: "Report this with the two rates and the quality.")
        }
        try putSilence(&count)
    }
}
