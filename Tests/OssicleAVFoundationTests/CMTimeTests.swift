import Testing
@testable import OssicleAVFoundation

@Suite("Times as fractions")
struct CMTimeTests {
    @Test("A time of frames is that many seconds, and seconds become the nearest tick")
    func seconds() {
        #expect(CMTime(value: 66_150, timescale: 44_100).seconds == 1.5)
        #expect(CMTimeGetSeconds(CMTimeMake(value: 1, timescale: 3)) == 1.0 / 3)
        #expect(CMTime(seconds: 1.5, preferredTimescale: 600) == CMTime(value: 900, timescale: 600))
        #expect(CMTime(seconds: 1.0 / 3, preferredTimescale: 10).value == 3)
        #expect(
            CMTime(seconds: 1.0 / 3, preferredTimescale: 10).hasBeenRounded
                && !CMTime(seconds: 0.5, preferredTimescale: 10).hasBeenRounded)
    }

    @Test("Fractions of other scales are compared and added exactly")
    func arithmetic() {
        let third = CMTime(value: 1, timescale: 3), sixth = CMTime(value: 1, timescale: 6),
            half = CMTime(value: 1, timescale: 2)
        #expect(third + sixth == half && half - third == sixth)
        #expect(third == CMTime(value: 2, timescale: 6) && third.hashValue == CMTime(value: 2, timescale: 6).hashValue)
        #expect(sixth < third && third < half && CMTime(value: -1, timescale: 2) < .zero)
        #expect(CMTime(value: .max, timescale: 3) < CMTime(value: .max, timescale: 2))
    }

    @Test("Infinite, unknown and missing times have their order and no number")
    func special() {
        let order: [CMTime] = [
            .invalid, .negativeInfinity, CMTime(value: -5, timescale: 1), .zero, .indefinite, .positiveInfinity,
        ]
        #expect(order == order.sorted() && order == order.reversed().sorted())
        #expect(
            CMTime.invalid.seconds.isNaN && CMTime.indefinite.seconds.isNaN
                && CMTime.positiveInfinity.seconds == .infinity)
        #expect(!CMTime(value: 1, timescale: 0).isValid && !CMTime(seconds: .nan, preferredTimescale: 600).isValid)
        #expect(
            (CMTime.zero + .positiveInfinity).isPositiveInfinity && (CMTime.zero - .positiveInfinity).isNegativeInfinity
        )
        #expect((CMTime.positiveInfinity - .positiveInfinity).isIndefinite && !(CMTime.zero + .invalid).isValid)
    }

    @Test("What does not fit becomes coarser or infinite, and nothing traps")
    func overflow() {
        #expect((CMTime(value: .max, timescale: 1) + CMTime(value: .max, timescale: 1)).isPositiveInfinity)
        #expect((CMTime(value: .min, timescale: 1) + CMTime(value: .min, timescale: 1)).isNegativeInfinity)
        let fine = CMTime(value: 1, timescale: .max) + CMTime(value: 1, timescale: .max - 1)
        #expect(fine.isNumeric && fine.hasBeenRounded)
        #expect(
            CMTime(seconds: 1e30, preferredTimescale: 600).isPositiveInfinity
                && CMTime(value: .min, timescale: .max).hashValue == CMTime(value: .min, timescale: .max).hashValue)
    }
}
