import Foundation
import OssicleTestSupport
@testable import OssicleHeadTracking
import Testing

@Suite struct HeadTrackerTests {
    private func tracker(_ format: PoseReceiver.Endpoint.Format, port: UInt16 = 0) -> HeadTracker {
        HeadTracker(.network(PoseReceiver.Endpoint(format, port: port)))
    }

    @Test func `poses arrive over the loopback in both formats`() throws {
        for (format, packet) in [
            (PoseReceiver.Endpoint.Format.osc, HeadPackets.osc("/ypr", [90, 0, 0])),
            (.opentrack, HeadPackets.opentrack(yaw: -90)),
        ] {
            let tracker = tracker(format), sender = try DatagramSocket()
            try tracker.start()
            let port = try #require(tracker.port)
            #expect(tracker.pose(at: 0) == nil)
            #expect(tracker.connection() == .waiting)
            try sender.send(packet, to: port)
            let arrived = waitUntil { tracker.count().poses == 1 }
            #expect(arrived)
            let pose = try #require(tracker.pose(at: 0))
            #expect(difference(pose.orientation, Turn.left.rotation) < 1e-6)
            #expect(abs(MonotonicClock.now - pose.time) < 20)
        }
    }

    @Test func `it is connected while poses come and lost a second after the last`() throws {
        let tracker = tracker(.osc), sender = try DatagramSocket()
        try tracker.start()
        try sender.send(HeadPackets.osc("/yaw", [5]), to: try #require(tracker.port))
        let arrived = waitUntil { tracker.count().poses == 1 }
        #expect(arrived)
        let last = try #require(tracker.count().lastArrival)
        #expect(tracker.connection(at: last + 0.9) == .connected)
        #expect(tracker.connection(at: last + 1.1) == .lost)
    }

    @Test func `hostile packets are counted by kind and change nothing`() throws {
        let tracker = tracker(.osc), sender = try DatagramSocket()
        try tracker.start()
        let port = try #require(tracker.port)
        try sender.send(HeadPackets.osc("/yaw", [90]), to: port)
        for packet in [
            [], [0x2F], Array("#bundle".utf8) + [0], [UInt8](repeating: 0xFF, count: 60_000),
            HeadPackets.osc("/yaw", [.nan]),
        ] { try sender.send(packet, to: port) }
        try sender.send(HeadPackets.osc("/tempo", [120]), to: port)
        let arrived = waitUntil { tracker.count().others == 1 }
        #expect(arrived)
        #expect(tracker.count().malformed == 5)
        #expect(tracker.count().poses == 1)
        #expect(difference(try #require(tracker.pose(at: 0)).orientation, Turn.left.rotation) < 1e-6)
    }

    @Test func `a port in use is an error with the port and the cure`() throws {
        let holder = try DatagramSocket()
        let error = #expect(throws: HeadTrackingError.self) { try tracker(.opentrack, port: holder.port).start() }
        #expect(error?.value.contains("\(holder.port)") == true)
        #expect(error?.cure.contains("another port") == true)
    }

    @Test func `an address that is none is an error`() {
        for address in ["", "here", "1.2.3", "300.0.0.1"] {
            let tracker = HeadTracker(.network(PoseReceiver.Endpoint(.osc, address: address, port: 0)))
            #expect(throws: HeadTrackingError.self) { try tracker.start() }
        }
        // Not an address of this machine: kept for documentation.
        #expect(throws: HeadTrackingError.self) {
            try HeadTracker(.network(PoseReceiver.Endpoint(.osc, address: "192.0.2.1", port: 0))).start()
        }
    }

    @Test func `after a stop the port is free at once, and a start listens anew`() throws {
        let port = try DatagramSocket.quietPort(), tracker = tracker(.osc, port: port), sender = try DatagramSocket()
        for _ in 0..<3 {
            try tracker.start()
            try tracker.start()
            #expect(tracker.isRunning)
            try sender.send(HeadPackets.osc("/yaw", [1]), to: port)
            let arrived = waitUntil { tracker.count().poses == 1 }
            #expect(arrived)
            tracker.stop()
            tracker.stop()
            #expect(tracker.pose(at: 0) == nil)
            #expect(throws: Never.self) { _ = try DatagramSocket(port: port) }
        }
    }

    @Test func `two who listen to one port share it, and the last one closes it`() throws {
        let port = try DatagramSocket.quietPort(), sender = try DatagramSocket()
        let (one, two) = (tracker(.osc, port: port), tracker(.osc, port: port))
        try one.start()
        try two.start()
        one.recentre()
        try sender.send(HeadPackets.osc("/yaw", [90]), to: port)
        let arrived = waitUntil { two.count().poses == 1 }
        #expect(arrived)
        #expect(one.pose(at: 0)?.orientation == .identity)
        #expect(difference(try #require(two.pose(at: 0)).orientation, Turn.left.rotation) < 1e-6)
        one.stop()
        #expect(throws: DatagramSocket.Failure.self) { try DatagramSocket(port: port) }
        two.stop()
        #expect(throws: Never.self) { _ = try DatagramSocket(port: port) }
    }

    @Test func `starts, stops and packets from many threads end well`() async throws {
        let port = try DatagramSocket.quietPort(), tracker = tracker(.osc, port: port)
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<8 {
                group.addTask {
                    guard let sender = try? DatagramSocket() else { return }
                    for _ in 0..<40 {
                        if index % 2 == 0 { try? tracker.start() } else { tracker.stop() }
                        try? sender.send(HeadPackets.osc("/yaw", [Double(index)]), to: port)
                        _ = tracker.pose(at: 0)
                        tracker.recentre()
                    }
                }
            }
        }
        tracker.stop()
        #expect(!tracker.isRunning)
        #expect(throws: Never.self) { _ = try DatagramSocket(port: port) }
    }

    @Test func `a recording is played on the clock it is asked with, and recentred at any moment`() throws {
        let folder = try TemporaryFolder(), url = URL(fileURLWithPath: folder.path("turn.csv"))
        try Data((MotionRecordingTests.header + "0,0,0,0,0,0,0,1\n2,0,0,0,0,1,0,0\n").utf8).write(to: url)
        let tracker = HeadTracker(.recording(url))
        #expect(tracker.pose(at: 1) == nil)
        try tracker.start()
        #expect(difference(try #require(tracker.pose(at: 1)).orientation, Turn.left.rotation) < 1e-15)
        #expect(tracker.connection() == .connected)
        tracker.recentre()
        #expect(difference(try #require(tracker.pose(at: 1)).orientation, .identity) < 1e-15)
        #expect(difference(try #require(tracker.pose(at: 2)).orientation, Turn.left.rotation) < 1e-15)
    }

    @Test func `the rate is that of the packets, and sinks when they stay away`() {
        var count = PacketCount()
        for index in 0...100 { count.add(.pose, at: 5 + Double(index) * 0.02) }
        #expect(abs(count.rate - 50) < 1e-6)
        #expect(abs(count.seen(at: 7.01).rate - 50) < 1e-6)
        #expect(abs(count.seen(at: 17).rate - 0.1) < 1e-12)
        #expect(PacketCount().rate == 0)
    }

    // MARK: The environment

    @Test func `sources are spelled as the documentation says`() throws {
        let spelled: [(String, HeadTrackingSource)] = [
            ("osc:8000", .network(PoseReceiver.Endpoint(.osc, port: 8000))),
            ("opentrack:4242", .network(PoseReceiver.Endpoint(.opentrack, port: 4242))),
            ("osc:0.0.0.0:9000", .network(PoseReceiver.Endpoint(.osc, address: "0.0.0.0", port: 9000))),
            (
                "osc:8000,invert=pitch+roll",
                .network(PoseReceiver.Endpoint(.osc, port: 8000, inverted: [.pitch, .roll]))
            ),
            ("file:/tmp/a,b:c.csv", .recording(URL(fileURLWithPath: "/tmp/a,b:c.csv"))),
        ]
        for (text, source) in spelled {
            let read = try HeadTrackingSource.fromEnvironment([HeadTrackingSource.variable: text])
            #expect(read == source)
        }
        let none = try HeadTrackingSource.fromEnvironment([:]),
            empty = try HeadTrackingSource.fromEnvironment([HeadTrackingSource.variable: ""])
        #expect(none == nil && empty == nil)
    }

    @Test(arguments: [
        "osc", "osc:", "osc:0", "osc:65536", "osc:-1", "osc:8000,", "osc:8000,invert=", "osc:8000,invert=yaw+nod",
        "midi:3", "file:", ":", ",", "osc:1:2:3",
    ])
    func `what is no source is an error that quotes it`(text: String) {
        let error = #expect(throws: HeadTrackingError.self) { try HeadTrackingSource(text) }
        #expect(error?.description.contains("“\(text)”") == true)
    }
}
