@testable import OssicleDevices
import OssicleChannels
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

    @Test(
        "A layout goes out in its own order, surrounds and heights under PulseAudio's names",
        arguments: [
            ("Mono", [42]), ("L R", [1, 2]), ("C L R", [3, 1, 2]), ("L R C LFE Ls Rs", [1, 2, 3, 4, 5, 6]),
            ("C L R Ls Rs LFE", [3, 1, 2, 5, 6, 4]), ("L R Rls Rrs C LFE Ls Rs", [1, 2, 33, 34, 3, 4, 5, 6]),
            ("L R C LFE Ls Rs Rls Rrs Vhl Vhr Ltr Rtr", [1, 2, 3, 4, 5, 6, 33, 34, 13, 15, 16, 18]),
        ] as [(String, [UInt32])])
    func layouts(names: String, labels: [UInt32]) {
        let own = ChannelOrder.labels(named: names)
        let map = ChannelMap.map(own, channelCount: own.count)
        #expect(ChannelMap.labels(of: map) == labels)
    }

    @Test("What has no position, or another number of channels, goes out in the usual order")
    func unknown() {
        let ambisonics = (0..<4).map { ChannelLabel.ambisonicSN3D | $0 }
        for (labels, count) in [(ambisonics, 4), ([1, 2], 8), (nil, 6)] as [([UInt32]?, Int)] {
            let map = ChannelMap.map(labels, channelCount: count)
            #expect(ChannelMap.labels(of: map) == ChannelMap.labels(of: ChannelMap.usual(count)))
        }
    }
}
