import OssicleCore

extension SceneTrack {
    /// The value at a time: before the first key and behind the last one, theirs.
    ///
    /// Arithmetic is that of `DeterministicMath`, so that a movement has the same bits everywhere.
    package func value(at time: Double) -> [Double] {
        guard let first = keys.first, let last = keys.last else { return [] }
        if time <= first.time { return unit(first.value) }
        if time >= last.time { return unit(last.value) }
        let index = lastKey(at: time), (a, b) = (keys[index], keys[index + 1])
        let share = (time - a.time) / (b.time - a.time)
        switch interpolation {
        case .step: return unit(a.value)
        case .linear: return isOrientation ? slerp(a.value, b.value, share) : blend(a.value, b.value, share)
        case .smooth: return unit(smooth(index, share))
        }
    }

    private var isOrientation: Bool { if case .orientation = target { true } else { false } }

    /// The number of the last key that is not behind `time`.
    private func lastKey(at time: Double) -> Int {
        var (low, high) = (0, keys.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if keys[middle].time <= time { low = middle } else { high = middle }
        }
        return low
    }

    private func blend(_ a: [Double], _ b: [Double], _ share: Double) -> [Double] {
        zip(a, b).map { $0 + ($1 - $0) * share }
    }

    /// Turns at an even pace along the shorter way (Shoemake 1985).
    private func slerp(_ a: [Double], _ b: [Double], _ share: Double) -> [Double] {
        let (a, b) = (unit(a), aligned(unit(b), with: unit(a)))
        let cosine = min(zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }, 1)
        // Close together a straight line is as good, and its sine is not divided by.
        guard cosine < 0.9999 else { return unit(blend(a, b, share)) }
        let angle = DeterministicMath.acos(cosine), sine = DeterministicMath.sin(angle)
        let (u, v) = (
            DeterministicMath.sin(angle * (1 - share)) / sine, DeterministicMath.sin(angle * share) / sine
        )
        return unit(zip(a, b).map { $0 * u + $1 * v })
    }

    /// A cubic whose slope at each key is that from the key before to the key behind it (Catmull and Rom 1974, for keys
    /// that are not evenly spaced).
    private func smooth(_ index: Int, _ share: Double) -> [Double] {
        let (a, b) = (keys[index], keys[index + 1])
        let before = index > 0 ? keys[index - 1] : a, behind = index + 2 < keys.count ? keys[index + 2] : b
        let span = b.time - a.time
        let start = a.value
        let end = oriented(b.value, with: start)
        let (first, last) = (oriented(before.value, with: start), oriented(behind.value, with: end))
        let square = share * share, cube = square * share
        return start.indices.map { axis in
            let rising = (end[axis] - first[axis]) / (b.time - before.time) * span
            let falling = (last[axis] - start[axis]) / (behind.time - a.time) * span
            let value = start[axis] * (2 * cube - 3 * square + 1) + end[axis] * (3 * square - 2 * cube)
            return value + rising * (cube - 2 * square + share) + falling * (cube - square)
        }
    }

    private func oriented(_ value: [Double], with other: [Double]) -> [Double] {
        isOrientation ? aligned(value, with: other) : value
    }

    /// Of a quaternion and its opposite, which turn alike, the one that is nearer.
    private func aligned(_ value: [Double], with other: [Double]) -> [Double] {
        zip(value, other).reduce(0) { $0 + $1.0 * $1.1 } < 0 ? value.map { -$0 } : value
    }

    /// Quaternions have a length of 1; one of no length turns nothing.
    private func unit(_ value: [Double]) -> [Double] {
        guard isOrientation else { return value }
        let length = value.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return length > 1e-9 ? value.map { $0 / length } : [0, 0, 0, 1]
    }
}

extension SceneTransform {
    /// The same axes at another place.
    package func moved(to place: [Double]) -> SceneTransform {
        var moved = self
        moved.columns[3] = SIMD4(Float(place[0]), Float(place[1]), Float(place[2]), 1)
        return moved
    }

    /// Turned to a quaternion, at the same place and scale.
    package func turned(to quaternion: [Double]) -> SceneTransform {
        let scale = (0..<3).map { axis in
            (0..<3).reduce(0.0) { $0 + Double(columns[axis][$1]) * Double(columns[axis][$1]) }.squareRoot()
        }
        return SceneTransform(
            translation: translation,
            rotation: SIMD4(quaternion[0], quaternion[1], quaternion[2], quaternion[3]),
            scale: SIMD3(scale[0], scale[1], scale[2]))
    }
}
