/// What a room hears of several channels: their mean, so that a sound that is in all of them keeps its level.
enum MonoSum {
    static func mean(_ inputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ count: Int, to mono: UnsafeMutablePointer<Float>, _ n: Int) {
        mono.update(from: inputs[0], count: n)
        guard count > 1 else { return }
        for channel in 1..<count {
            for i in 0..<n { mono[i] += inputs[channel][i] }
        }
        let share = 1 / Float(count)
        for i in 0..<n { mono[i] *= share }
    }
}
