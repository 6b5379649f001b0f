/// What competes for room. No two rank alike.
protocol Ranked {
    func outranks(_ other: Self) -> Bool
}

/// A voice that wants to be heard, by what decides whether it is.
struct Contender: Ranked {
    unowned(unsafe) let voice: Voice
    unowned(unsafe) let event: EventInstance
    /// Its path and level are of an update before: it may be heard once they are of now.
    let isStale: Bool
    /// Its event is one that updates pass over.
    let isIdle: Bool
    private let priority: Int
    /// Steps of 3 dB; nil for what is too quiet to be heard at all.
    private let levelStep: Int?
    /// Of the event, and of the leaf in it.
    private let number: UInt64
    private let node: Int

    init(_ voice: Voice, of event: EventInstance, isStale: Bool, isIdle: Bool = false) {
        (self.voice, self.event) = (voice, event)
        (self.isStale, self.isIdle) = (isStale, isIdle)
        priority = voice.generator.priority
        levelStep = voice.priority.levelStep
        number = event.parts.number
        node = voice.node
    }

    func outranks(_ other: Contender) -> Bool {
        if (levelStep == nil) != (other.levelStep == nil) { return levelStep != nil }
        if priority != other.priority { return priority > other.priority }
        if let levelStep, let step = other.levelStep, levelStep != step { return levelStep > step }
        return number != other.number ? number > other.number : node < other.node
    }
}

extension Array where Element: Ranked {
    /// Brings the `wanted` highest to the front, in no order: Hoare's selection, in place.
    mutating func moveForward(highest wanted: Int) {
        var (low, high) = (0, count - 1)
        while low < high, wanted > low, wanted <= high {
            let pivot = self[(low + high) / 2]
            var (left, right) = (low, high)
            while left <= right {
                while self[left].outranks(pivot) { left += 1 }
                while pivot.outranks(self[right]) { right -= 1 }
                guard left <= right else { break }
                swapAt(left, right)
                (left, right) = (left + 1, right - 1)
            }
            if wanted <= right { high = right } else if wanted > left { low = left } else { return }
        }
    }
}
