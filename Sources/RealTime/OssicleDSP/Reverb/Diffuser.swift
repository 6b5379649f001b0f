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

/// A delay by whole frames that changes by a cross-fade. Audio thread; not shared.
struct Predelay: ~Copyable {
    private let ring: SampleMemory
    private var position = 0
    private var old = 0
    private(set) var target = 0
    private var fade = GainRamp(1)

    init(longest: Int) { ring = SampleMemory(count: max(longest, 0) + 1) }

    var longest: Int { ring.count - 1 }

    mutating func reset() {
        ring.clear()
        position = 0
    }

    /// Fades over `frames` frames (0: at once) to a delay, held within 0 … `longest`.
    mutating func setTarget(_ delay: Int, frames: Int) {
        old = target
        target = min(max(delay, 0), longest)
        fade = GainRamp(old == target ? 1 : 0)
        fade.setTarget(1, frames: frames)
    }

    /// In place.
    mutating func process(_ buffer: UnsafeMutablePointer<Float>, _ n: Int) {
        for i in 0..<n {
            ring[position] = buffer[i]
            let new = ring[back(target)]
            if fade.isIdle {
                buffer[i] = new
            } else {
                let weight = fade.next()
                let before = ring[back(old)]
                buffer[i] = before + (new - before) * weight
            }
            position = position + 1 == ring.count ? 0 : position + 1
        }
    }

    private func back(_ delay: Int) -> Int { position >= delay ? position - delay : position - delay + ring.count }
}
