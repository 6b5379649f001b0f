import Foundation
import OssicleTestSupport
import Testing

@testable import OssicleVoiceRoom

#if os(Linux)
/// What Scripts/voice-table prints of the room.
@Suite("The voice room for long, and with many", .serialized)
struct SoakTests {
    private static let isAsked = ProcessInfo.processInfo.environment["OSSICLE_VOICE_TABLE"] != nil

    /// Bytes of the heap by which a call grows from one time to another, at 5 % loss and ±40 ms of jitter, while one
    /// comes and goes every two seconds.
    private static func growth(people: Int, from start: Double, to end: Double) throws -> Int {
        var call = try SimulatedCall(people: people, loss: 0.05, jitter: 0.04)
        var (before, guest) = (0, VoiceRoom.Participant?.none)
        for tick in 0..<Int(end / VoiceRoom.interval) {
            if tick == Int(start / VoiceRoom.interval) { before = try HeapUse.bytes() }
            if tick % 100 == 10 { guest = try call.room.join(at: .init(x: 0, z: 0)) }
            if tick % 100 == 60, let guest { call.room.leave(guest) }
            _ = try call.step()
        }
        return try HeapUse.bytes() - before
    }

    /// In a process of its own, whose heap no other test uses. A packet of each ear that stayed would be 4 KB, 500
    /// packets 4 MB.
    @Test("ten seconds more take no more memory")
    func short() async {
        await #expect(processExitsWith: .success) {
            let bytes = try SoakTests.growth(people: 2, from: 4, to: 14)
            #expect(bytes < 200_000, "\(bytes) bytes")
        }
    }

    @Test("ten minutes", .enabled(if: isAsked))
    func tenMinutes() throws {
        let bytes = try Self.growth(people: 4, from: 60, to: 660)
        Self.write("| four people, ten minutes at 5 % loss and ±40 ms | \(bytes) bytes of heap more |")
        #expect(bytes < 200_000)
    }

    @Test("sixteen by sixteen", .enabled(if: isAsked))
    func sixteen() throws {
        for (threads, turns) in [(2, false), (2, true), (1, false)] {
            var settings = VoiceRoom.Settings()
            settings.threads = threads
            var call = try SimulatedCall(people: 16, settings: settings, loss: 0.05, jitter: 0.04)
            var (walls, processor): ([Double], [Double]) = ([], [])
            for tick in 0..<500 {
                if turns {
                    for (index, person) in call.people.enumerated() {
                        var seat = VoiceRoom.Seat.around(index, of: 16)
                        seat.yaw += 30 * sin(Double(tick) * 0.1)
                        try call.room.move(person, to: seat)
                    }
                }
                try call.send()
                let (start, used) = (ProcessInfo.processInfo.systemUptime, Double(clock()) / Double(CLOCKS_PER_SEC))
                _ = try call.mix()
                walls.append(ProcessInfo.processInfo.systemUptime - start)
                processor.append(Double(clock()) / Double(CLOCKS_PER_SEC) - used)
            }
            Self.write(
                String(
                    format:
                        "| 16 × 16, %@, %d threads | %.2f s of wall and %.2f s of processor for 10 s; 20 ms take %.1f ms of processor at most, and longer than 20 ms of wall in %d of 500 |",
                    turns ? "all heads turn" : "seated", threads, walls.reduce(0, +), processor.reduce(0, +),
                    1000 * (processor.max() ?? 0), walls.count { $0 > VoiceRoom.interval }))
        }
    }

    private static func write(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
#endif
