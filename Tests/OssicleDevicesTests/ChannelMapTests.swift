@testable import OssicleDevices
import Testing

@Suite struct ChannelMapTests {
    @Test(
        "Streams go out in the order of the engines: left, right, centre, LFE, sides, rear, above",
        arguments: [
            (8, [1, 2, 3, 4, 5, 6, 33, 34]), (12, [1, 2, 3, 4, 5, 6, 33, 34, 13, 15, 16, 18]),
        ] as [(Int, [UInt32])])
    func surround(count: Int, labels: [UInt32]) {
        #expect(ChannelMap.labels(of: ChannelMap.usual(count)) == labels)
    }
}
