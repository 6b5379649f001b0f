import OssicleCore
import Foundation
import OssicleTestSupport
@testable import OssicleHeadTracking
import Testing

@Suite struct MotionRecordingTests {
    static let header = "time,x,y,z,qx,qy,qz,qw\n"

    private func recording() throws -> MotionRecording {
        try MotionRecording(
            (0..<50).map { index in
                let time = 0.1 * Double(index)
                return HeadPose(
                    orientation: Rotation(yaw: 0.07 * Double(index), pitch: 0.01 * Double(index), roll: -0.3),
                    position: SIMD3(time / 3, 0, -time), time: time)
            })
    }

    @Test func `what is written reads back bit for bit`() throws {
        let original = try recording(), folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path("motion.csv"))
        try original.write(to: url)
        let read = try MotionRecording(contentsOf: url)
        #expect(read == original)
    }

    @Test func `between poses it turns evenly, beyond the ends it stands still`() throws {
        let original = try recording()
        #expect(original.pose(at: -5) == original.poses.first)
        #expect(original.pose(at: 100) == original.poses.last)
        #expect(original.pose(at: original.poses[7].time) == original.poses[7])
        let simple = try MotionRecording(csv: Self.header + "1,0,0,0,0,0,0,1\n3,2,0,0,0,1,0,0\n")
        #expect(difference(simple.pose(at: 1.5).orientation, Rotation(yaw: .pi / 4, pitch: 0, roll: 0)) < 1e-15)
        #expect(simple.pose(at: 2.5).position == SIMD3(1.5, 0, 0))
        #expect(simple.duration == 2)
    }

    @Test func `spaces, CRLF, empty lines, capitals and quaternions of any length are taken`() throws {
        let read = try MotionRecording(
            csv: "Time, X, Y, Z, qx, qy, qz, qw\r\n\r\n 0 , 1,2,3, 0,0,0,2\r\n1,1,2,3,0,0,0,5,comment\r\n")
        #expect(read.poses.count == 2)
        #expect(read.poses.allSatisfy { $0.orientation == .identity && $0.position == SIMD3(1, 2, 3) })
    }

    static let faults: [(text: String, place: String)] = [
        ("", "line 1, column 1"),
        ("0,0,0,0,0,0,0,1\n", "line 1, column 1"),
        ("time,x,y,z,qx,qy,qz\n", "line 1, column 8"),
        ("\(header)", "no pose"),
        ("\(header)0,0,0,0,0,0,0,1\n\n1,0,zero,0,0,0,0,1\n", "line 4, column 3: “zero”"),
        ("\(header)0,0,0,0,0,0,0\n", "line 2, column 8"),
        ("\(header)0,0,nan,0,0,0,0,1\n", "line 2, column 3"),
        ("\(header)inf,0,0,0,0,0,0,1\n", "line 2, column 1"),
        ("\(header)0,0,0,0,0,0,0,0\n", "line 2, column 5"),
        ("\(header)0,1e9,0,0,0,0,0,1\n", "line 2, column 2"),
        ("\(header)1,0,0,0,0,0,0,1\n1,0,0,0,0,0,0,1\n", "line 3, column 1"),
    ]

    @Test(arguments: faults)
    func `an error names line and column`(text: String, place: String) {
        let error = #expect(throws: HeadTrackingError.self) { try MotionRecording(csv: text) }
        #expect(error?.description.contains(place) == true, "\(error?.description ?? "")")
        #expect(error?.cure.isEmpty == false)
    }

    @Test func `a file that is not there, and a folder, are refused by name`() throws {
        let folder = try TemporaryFolder()
        for url in [URL(fileURLWithPath: folder.path("none.csv")), folder.url] {
            let error = #expect(throws: HeadTrackingError.self) { try MotionRecording(contentsOf: url) }
            #expect(error?.description.contains(url.lastPathComponent) == true)
        }
    }

    @Test func `poses out of order are refused`() {
        #expect(throws: HeadTrackingError.self) { try MotionRecording([HeadPose(time: 1), HeadPose(time: 1)]) }
        #expect(throws: HeadTrackingError.self) { try MotionRecording([]) }
        #expect(throws: HeadTrackingError.self) { try MotionRecording([HeadPose(time: .nan)]) }
    }

    @Test func `a thousand spoilt files trap nothing, and what is read can be played`() throws {
        let bytes = Array(try MotionRecording(recording().poses.prefix(6).map(\.self)).csv.utf8)
        var mutator = Mutator(seed: 22), (read, refused) = (0, 0)
        for _ in 0..<1000 {
            guard let recording = try? MotionRecording(csv: String(decoding: mutator.mutate(bytes), as: UTF8.self))
            else {
                refused += 1
                continue
            }
            read += 1
            let vector = recording.pose(at: (recording.startTime + recording.endTime) / 2).orientation.quaternion
            #expect(abs((vector * vector).sum() - 1) < 1e-9)
        }
        #expect(read + refused == 1000)
        #expect(refused > 300)
    }
}
