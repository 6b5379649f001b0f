/// How an encoder is to spend its bits.
package struct EncoderSettings: Equatable, Sendable {
    package enum Strategy: Sendable { case constant, longTermAverage, variableConstrained, variable }

    /// Bits per second of the whole stream; `nil` leaves the encoder's own choice.
    package var bitRate: Int?
    /// `nil` leaves the encoder's own choice.
    package var strategy: Strategy?
    /// 0 (smallest) ... 1 (best): what variable bit rates aim at, and how hard the encoder tries; `nil` leaves its own choice.
    package var quality: Double?

    package init(bitRate: Int? = nil, strategy: Strategy? = nil, quality: Double? = nil) {
        self.bitRate = bitRate
        self.strategy = strategy
        self.quality = quality
    }
}

/// What an encoder can do, whatever it is set to.
package struct EncoderRange: Equatable, Sendable {
    /// Bits per second, lowest and highest, for the given channels and rate; `nil` where bits follow the sound.
    package var bitRates: ClosedRange<Int>?
    /// Rates in hertz; empty when any.
    package var sampleRates: [Double]
    package var channelCounts: [Int]

    package init(bitRates: ClosedRange<Int>?, sampleRates: [Double], channelCounts: [Int]) {
        self.bitRates = bitRates
        self.sampleRates = sampleRates
        self.channelCounts = channelCounts
    }
}
