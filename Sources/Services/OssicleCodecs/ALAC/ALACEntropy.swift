/// The entropy coder of Apple Lossless: Golomb-Rice codes whose parameter follows the mean of what came, with codes for
/// runs of zeros.
struct ALACEntropy {
    /// How fast the mean follows, in 1/512.
    let follow: UInt32
    let start: UInt32
    /// The longest remainder in bits.
    let limit: Int

    /// - Parameter factor: the element's own factor of the multiplier, in quarters.
    init(_ configuration: ALACConfiguration, factor: Int) {
        follow = UInt32(configuration.historyMultiplier * factor / 4)
        start = UInt32(configuration.initialHistory)
        limit = configuration.riceLimit
    }

    static let longestPrefix = 9
    static let longestRun = 65_535
    private static let highestMean: UInt32 = 0xFFFF

    /// The parameter of the next number's code.
    @inline(__always) private func width(_ mean: UInt32) -> Int {
        min(31 - (mean >> 9 &+ 3).leadingZeroBitCount, limit)
    }

    /// The parameter of a run's code.
    @inline(__always) private func runWidth(_ mean: UInt32) -> Int {
        mean.leadingZeroBitCount - 24 + Int((mean + 16) >> 6)
    }

    @inline(__always) private func divisor(_ width: Int) -> UInt32 { (1 << UInt32(width)) - 1 }
    @inline(__always) private func runDivisor(_ width: Int) -> UInt32 { divisor(width) & divisor(limit) }

    /// The mean after `number`, which is one less than what it stands for behind a run.
    @inline(__always) private func mean(_ mean: UInt32, after number: UInt32, behindRun: UInt32) -> UInt32 {
        number > Self.highestMean ? Self.highestMean : follow &* (number &+ behindRun) &+ mean &- (follow &* mean) >> 9
    }

    /// Whether the mean is so low that a run follows.
    @inline(__always) private func expectsRun(_ mean: UInt32) -> Bool { mean << 2 < 512 }

    /// Reads `count` numbers of `bits` bits; `false` when a run goes beyond the end.
    func read(_ reader: inout BitReader, into numbers: UnsafeMutablePointer<Int32>, count: Int, bits: Int) -> Bool {
        var mean = start, behindRun: UInt32 = 0, index = 0
        while index < count {
            let width = width(mean)
            let number = reader.readRice(width, divisor(width), escape: bits)
            let folded = number &+ behindRun
            let magnitude = Int32(bitPattern: (folded &+ 1) >> 1)
            numbers[index] = folded & 1 == 1 ? 0 &- magnitude : magnitude
            index += 1
            mean = self.mean(mean, after: number, behindRun: behindRun)
            behindRun = 0
            guard expectsRun(mean), index < count else { continue }
            let runWidth = runWidth(mean)
            let run = Int(reader.readRice(runWidth, runDivisor(runWidth), escape: 16))
            guard run <= count - index, !reader.isPastEnd else { return false }
            (numbers + index).update(repeating: 0, count: run)
            index += run
            behindRun = run < Self.longestRun ? 1 : 0
            mean = 0
        }
        return !reader.isPastEnd
    }

    /// Writes `count` numbers of `bits` bits.
    func write(_ numbers: UnsafePointer<Int32>, count: Int, bits: Int, to writer: inout BitWriter) {
        var mean = start, behindRun: UInt32 = 0, index = 0
        while index < count {
            let width = width(mean)
            let value = numbers[index]
            let number = value.magnitude << 1 &- (value < 0 ? 1 : 0) &- behindRun
            writer.writeRice(number, width, divisor: divisor(width), escape: bits)
            index += 1
            mean = self.mean(mean, after: number, behindRun: behindRun)
            behindRun = 0
            guard expectsRun(mean), index < count else { continue }
            var run = 0
            while index < count, numbers[index] == 0, run < Self.longestRun { (run, index) = (run + 1, index + 1) }
            let runWidth = runWidth(mean)
            writer.writeRice(UInt32(run), runWidth, divisor: runDivisor(runWidth), escape: 16)
            behindRun = run < Self.longestRun ? 1 : 0
            mean = 0
        }
    }
}

extension BitReader {
    /// A quotient in ones and a zero, then a remainder of `width` bits, or one fewer when it is nothing; nine ones and
    /// the number itself when it is large.
    @inline(__always) fileprivate mutating func readRice(_ width: Int, _ divisor: UInt32, escape bits: Int) -> UInt32 {
        let quotient = (~peek32()).leadingZeroBitCount
        guard quotient < ALACEntropy.longestPrefix else {
            skip(ALACEntropy.longestPrefix)
            return read(bits)
        }
        skip(quotient + 1)
        guard width > 1 else { return UInt32(quotient) }
        let remainder = peek32() >> UInt32(32 - width)
        skip(remainder > 1 ? width : width - 1)
        return UInt32(quotient) &* divisor &+ (remainder > 1 ? remainder - 1 : 0)
    }
}

extension BitWriter {
    /// Decoders look at 25 bits at once; what would take more is written as it is.
    @inline(__always) fileprivate mutating func writeRice(
        _ number: UInt32, _ width: Int, divisor: UInt32, escape bits: Int
    ) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        let remainderWidth = remainder == 0 ? width - 1 : width
        guard quotient < ALACEntropy.longestPrefix, Int(quotient) + 1 + remainderWidth <= 25 else {
            write(0x1FF, ALACEntropy.longestPrefix)
            write(number, bits)
            return
        }
        write((1 << quotient - 1) << 1, Int(quotient) + 1)
        write(remainder == 0 ? 0 : remainder + 1, remainderWidth)
    }
}
