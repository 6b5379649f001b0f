/// Channels two by two in double precision, for filters that take two lanes. The last of an odd number goes alone, its companion silent.
enum ChannelPair {
    typealias Lanes = SectionState.Lanes

    static func count(_ channelCount: Int) -> Int { (channelCount + 1) / 2 }

    /// Frames `offset` and on of channels 2·pair and 2·pair + 1.
    static func load(_ pair: Int, of channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ channelCount: Int, offset: Int,
                     to buffer: UnsafeMutablePointer<Lanes>, _ n: Int) {
        let left = channels[2 * pair] + offset
        guard 2 * pair + 1 < channelCount else {
            for i in 0..<n { buffer[i] = Lanes(Double(left[i]), 0) }
            return
        }
        let right = channels[2 * pair + 1] + offset
        for i in 0..<n { buffer[i] = Lanes(Double(left[i]), Double(right[i])) }
    }

    static func store(_ pair: Int, from buffer: UnsafePointer<Lanes>, to channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ channelCount: Int,
                      offset: Int, _ n: Int) {
        let left = channels[2 * pair] + offset
        for i in 0..<n { left[i] = Float(buffer[i].x) }
        guard 2 * pair + 1 < channelCount else { return }
        let right = channels[2 * pair + 1] + offset
        for i in 0..<n { right[i] = Float(buffer[i].y) }
    }
}
