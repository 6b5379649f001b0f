import Synchronization

/// The last frames of an output, as a tap brings them. Any thread.
package final class SoundHistory: Sendable {
    /// Frames that are kept: enough for a spectrum of 23 Hz at 48 kHz.
    package static let length = 2048
    private static let channelLimit = 8

    private struct Content {
        var end: Int64 = 0
        var sampleRate = 0.0
        var channels = 0
        /// Channel after channel, each a ring of `length` frames.
        var rings: [Float] = []
        /// Place in a ring of the oldest frame, where the next one goes.
        var oldest = 0
    }

    private let content = Mutex(Content())

    package init() {}

    /// - Parameters:
    ///   - planes: one for each channel. - end: engine frame behind the last of them. - sampleRate: Hz.
    package func append(
        _ planes: UnsafePointer<UnsafeMutablePointer<Float>>, channels count: Int, frames: Int, end: Int64,
        sampleRate: Double
    ) {
        content.withLock { content in
            let count = min(count, Self.channelLimit)
            if content.channels != count {
                content.rings = Array(repeating: 0, count: Self.length * count)
                (content.channels, content.oldest) = (count, 0)
            }
            let oldest = content.oldest, new = min(frames, Self.length), first = min(new, Self.length - oldest)
            content.rings.withUnsafeMutableBufferPointer { rings in
                guard let start = rings.baseAddress else { return }
                for channel in 0..<count {
                    let ring = start + channel * Self.length, from = planes[channel] + frames - new
                    (ring + oldest).update(from: from, count: first)
                    ring.update(from: from + first, count: new - first)
                }
            }
            content.oldest = (oldest + new) % Self.length
            (content.end, content.sampleRate) = (end, sampleRate)
        }
    }

    package func forget() { content.withLock { $0 = Content() } }

    package var sound: InspectedSound {
        content.withLock { content in
            var samples: [Float] = []
            samples.reserveCapacity(content.rings.count)
            for start in stride(from: 0, to: content.rings.count, by: Self.length) {
                samples += content.rings[start + content.oldest..<start + Self.length]
                samples += content.rings[start..<start + content.oldest]
            }
            return InspectedSound(
                end: content.end, sampleRate: content.sampleRate, channels: content.channels,
                samples: PackedNumbers(samples))
        }
    }
}

/// Numbers of objects that have none of their own, for as long as they are seen.
package struct LiveNumbers {
    private var numbers: [ObjectIdentifier: UInt64] = [:]
    private var seen: [ObjectIdentifier: UInt64] = [:]
    private var last: UInt64 = 0

    package init() {}

    package mutating func number(of object: AnyObject) -> UInt64 {
        let id = ObjectIdentifier(object)
        if let number = seen[id] ?? numbers[id] {
            seen[id] = number
            return number
        }
        last += 1
        seen[id] = last
        return last
    }

    /// Another look begins: what the last one did not see is gone.
    package mutating func begin() {
        swap(&numbers, &seen)
        seen.removeAll(keepingCapacity: true)
    }
}

/// Peaks since the last look. Where nothing was rendered since then, as blocks of a device may be longer than the time
/// between two looks, those of the last look stay.
package struct HeldPeaks {
    private var held: [UInt64: Float] = [:]
    private var position: Int64 = -1
    private var isHolding = false

    package init() {}

    /// Another look begins, at a frame of the engine's.
    package mutating func begin(at position: Int64, isRunning: Bool) {
        isHolding = isRunning && position == self.position
        self.position = position
        if !isHolding { held.removeAll(keepingCapacity: true) }
    }

    /// - Parameter measured: the peak that a meter has, which is 0 from then on.
    package mutating func peak(of number: UInt64, _ measured: Float) -> Float {
        let peak = isHolding ? max(held[number] ?? 0, measured) : measured
        held[number] = peak
        return peak
    }
}

/// What somebody at the view has muted or soloed, where the engine has no such switch: levels are set to 0 and given
/// back.
package struct Silencing<ID: Hashable> {
    package private(set) var muted: Set<ID> = []
    package private(set) var soloed: Set<ID> = []
    private var kept: [ID: Double] = [:]

    package init() {}

    /// Whether nothing is muted or soloed, and nothing is to be given back.
    package var isIdle: Bool { muted.isEmpty && soloed.isEmpty && kept.isEmpty }

    package mutating func mute(_ id: ID, _ isOn: Bool) {
        if isOn { muted.insert(id) } else { muted.remove(id) }
    }

    package mutating func solo(_ id: ID, _ isOn: Bool) {
        if isOn { soloed.insert(id) } else { soloed.remove(id) }
    }

    /// Lets all sound again.
    package mutating func clear() { (muted, soloed) = ([], []) }

    /// - Parameters:
    ///   - ids: of all that can be silenced. - level: as it is. - set: sets it.
    package mutating func apply(to ids: [ID], level: (ID) -> Double, set: (ID, Double) -> Void) {
        let known = Set(ids)
        muted.formIntersection(known)
        soloed.formIntersection(known)
        kept = kept.filter { known.contains($0.key) }
        for id in ids {
            let isSilenced = muted.contains(id) || !soloed.isEmpty && !soloed.contains(id)
            if isSilenced, kept[id] == nil {
                kept[id] = level(id)
                set(id, 0)
            } else if !isSilenced, let before = kept.removeValue(forKey: id) {
                set(id, before)
            }
        }
    }

    /// The level that it has again when it is no longer silenced; nil for one that sounds.
    package func keptLevel(of id: ID) -> Double? { kept[id] }

    /// Another level for one that is silenced.
    package mutating func keep(_ level: Double, for id: ID) { kept[id] = level }
}
