import OssicleCore

/// A Schroeder allpass whose gain may move: at 0 a plain delay, the nearer to 1 the thicker the echoes.
///
///     v = x + g·v[n−M];   y = v[n−M] − g·v
///
/// Audio thread; not shared.
struct VariableDiffuser: ~Copyable {
    private let ring: SampleMemory
    private var gain: GainRamp
    private var position = 0

    init(length: Int, gain: Float) {
        ring = SampleMemory(count: length)
        self.gain = GainRamp(gain)
    }

    /// Below 1 in magnitude.
    mutating func setTarget(_ gain: Float, frames: Int) { self.gain.setTarget(gain, frames: frames) }

    mutating func reset() {
        ring.clear()
        position = 0
        gain = GainRamp(gain.target)
    }

    /// In place.
    mutating func process(_ buffer: UnsafeMutablePointer<Float>, _ n: Int) {
        let moving = min(n, gain.framesLeft)
        for i in 0..<moving { pass(buffer + i, 1, gain.next()) }
        pass(buffer + moving, n - moving, gain.target)
    }

    private mutating func pass(_ buffer: UnsafeMutablePointer<Float>, _ n: Int, _ g: Float) {
        var position = self.position
        for i in 0..<n {
            let old = ring[position]
            let v = buffer[i] + g * old
            buffer[i] = old - g * v
            ring[position] = v
            position = position + 1 == ring.count ? 0 : position + 1
        }
        self.position = position
    }
}
