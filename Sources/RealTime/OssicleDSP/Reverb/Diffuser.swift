import OssicleCore

/// A Schroeder allpass: flat in level, spread in time ("Natural sounding artificial reverberation", 1962).
///
///     v = x + g·v[n−M];   y = v[n−M] − g·v
///
/// Audio thread; not shared.
struct Diffuser: ~Copyable {
    private let gain: Float = 0.6
    private let ring: SampleMemory
    private var position = 0

    init(length: Int) { ring = SampleMemory(count: length) }

    mutating func reset() {
        ring.clear()
        position = 0
    }

    mutating func process(_ buffer: UnsafeMutablePointer<Float>, _ n: Int) {
        var position = self.position
        for i in 0..<n {
            let old = ring[position]
            let v = buffer[i] + gain * old
            buffer[i] = old - gain * v
            ring[position] = v
            position = position + 1 == ring.count ? 0 : position + 1
        }
        self.position = position
    }
}
