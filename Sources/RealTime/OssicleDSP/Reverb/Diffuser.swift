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
        var done = 0
        while done < n {
            let (old, sound) = (ring.pointer + position, buffer + done)
            let run = min(n - done, ring.count - position)
            for i in 0..<run {
                let v = sound[i] + gain * old[i]
                sound[i] = old[i] - gain * v
                old[i] = v
            }
            position = position + run == ring.count ? 0 : position + run
            done += run
        }
    }
}

/// A delay by whole frames that changes by a cross-fade. Audio thread; not shared.
struct Predelay: ~Copyable {
    private let ring: SampleMemory
    private var position = 0
    private var old = 0
    private(set) var target = 0
    private var fade = GainRamp(1)

    /// Frames that are written at once.
    private static let run = 64

    init(longest: Int) { ring = SampleMemory(count: max(longest, 0) + Self.run) }

    var longest: Int { ring.count - Self.run }

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
        var done = 0
        while done < n {
            let run = min(n - done, Self.run, ring.count - position)
            (ring.pointer + position).update(from: buffer + done, count: run)
            read(to: buffer + done, run)
            position = position + run == ring.count ? 0 : position + run
            done += run
        }
    }

    private mutating func read(to sound: UnsafeMutablePointer<Float>, _ n: Int) {
        var done = 0
        while done < n, !fade.isIdle {
            let (new, before) = (ring[place(done, late: target)], ring[place(done, late: old)])
            sound[done] = before + (new - before) * fade.next()
            done += 1
        }
        while done < n {
            let start = place(done, late: target)
            let run = min(n - done, ring.count - start)
            (sound + done).update(from: ring.pointer + start, count: run)
            done += run
        }
    }

    /// Of the frame that many after the position.
    private func place(_ frame: Int, late delay: Int) -> Int {
        let place = position + frame - delay
        return place >= ring.count ? place - ring.count : place >= 0 ? place : place + ring.count
    }
}
