import OssicleCore

/// Whether a reverb may sleep: nothing has gone in and nothing come out for so long that nothing can be left inside.
///
/// It looks once per quantum of its own frames, so that the cut into calls does not matter. Audio thread.
struct SilenceWatch: BitwiseCopyable {
    /// −200 dBFS.
    private static let inaudible: Float = 1e-10
    /// Frames of silence before sleep.
    private let patience: Int
    private var position = 0
    private var loudest: Float = 0
    private var quiet = 0
    private(set) var isAsleep = false

    init(patience: Int) { self.patience = patience }

    /// Begins to wait anew.
    mutating func wake() { self = SilenceWatch(patience: patience) }

    /// Frames until the next look.
    var framesToLook: Int { Grid.quantum - position }

    /// Takes note of a signal; how many frames it has counts with `isTimeToSleep`.
    mutating func hear(_ signal: UnsafePointer<Float>, _ n: Int) { loudest = max(loudest, Self.peak(signal, n)) }

    /// Lets n frames pass, at most `framesToLook`; true at the moment sleep begins.
    mutating func fallsAsleep(after n: Int) -> Bool {
        position += n
        guard position >= Grid.quantum else { return false }
        position = 0
        quiet = loudest < Self.inaudible ? quiet + Grid.quantum : 0
        loudest = 0
        isAsleep = quiet >= patience
        return isAsleep
    }

    static func isSilent(_ signal: UnsafePointer<Float>, _ n: Int) -> Bool { peak(signal, n) == 0 }

    /// What is not a number counts as loud.
    private static func peak(_ signal: UnsafePointer<Float>, _ n: Int) -> Float {
        var peak: Float = 0
        for i in 0..<n {
            let magnitude = signal[i].magnitude
            peak = magnitude <= peak ? peak : magnitude
        }
        return peak
    }
}
