import Foundation
import OssicleCodecs
import OssicleCore
import Testing

@testable import OssicleVoiceRoom

@Suite("The voice room")
struct VoiceRoomTests {
    private func energy(_ samples: [Float]) -> Double { samples.reduce(0) { $0 + Double($1) * Double($1) } }

    @Test("nobody hears themselves, not even from the room, and the others do from where the talker sits")
    func mixMinus() throws {
        var call = try SimulatedCall(people: 2, talkers: 1)
        // To the listener's right: the listener at the origin looks along −z.
        try call.room.move(call.people[0], to: .init(x: 2, z: 0))
        try call.room.move(call.people[1], to: .init(x: 0, z: 0))
        var (own, left, right) = (0.0, 0.0, 0.0)
        for _ in 0..<100 {
            _ = try call.step()
            let (mine, other) = (call.room.lastMix(of: call.people[0]), call.room.lastMix(of: call.people[1]))
            own += energy(mine?.left ?? []) + energy(mine?.right ?? [])
            left += energy(other?.left ?? [])
            right += energy(other?.right ?? [])
        }
        #expect(own == 0)
        // A head shadows speech by some 5 to 10 dB from the side; the room fills in a little.
        #expect((3.0...15.0).contains(10 * log10(right / left)))
    }

    @Test("5 % loss and ±40 ms of jitter: what is lost is concealed, nothing else is, and the levels are those without")
    func badNetwork() throws {
        var levels: [Double] = []
        for (loss, jitter) in [(0.0, 0.0), (0.05, 0.04)] {
            var settings = VoiceRoom.Settings()
            settings.reverberationTime = 0
            var call = try SimulatedCall(people: 3, settings: settings, loss: loss, jitter: jitter, seconds: 6)
            var sum = 0.0
            for _ in 0..<300 {
                _ = try call.step()
                let mix = call.room.lastMix(of: call.people[2])
                if call.tick > 50 { sum += energy(mix?.left ?? []) + energy(mix?.right ?? []) }
            }
            levels.append(sum)
            let states = call.room.participants
            let counts = states.map(\.packets)
            let (concealed, late) = (counts.reduce(0) { $0 + $1.concealed }, counts.reduce(0) { $0 + $1.late })
            if loss == 0 {
                #expect(concealed == 0 && late == 0 && counts.allSatisfy { $0.damaged == 0 && $0.dropped == 0 })
                #expect(states.allSatisfy { $0.delay <= 0.061 })
            } else {
                #expect(call.lost > 20)
                // Every loss is a gap; one packet in twenty may be too late while the delay is found.
                #expect(concealed <= call.lost + 45 && concealed >= call.lost - 6)
                #expect(late <= 45)
                #expect(states.allSatisfy { (0.06...0.14).contains($0.delay) })
            }
        }
        #expect(abs(10 * log10(levels[1] / levels[0])) < 1)
    }

    @Test("the same calls give the same bytes at any number of threads, and another seed others")
    func determinism() throws {
        func bytes(threads: Int, seed: UInt64) throws -> [[UInt8]] {
            var settings = VoiceRoom.Settings()
            (settings.threads, settings.seed) = (threads, seed)
            var call = try SimulatedCall(people: 4, settings: settings, loss: 0.05, jitter: 0.02, seconds: 1)
            return try (0..<50).flatMap { _ in try call.step().map(\.packet) }
        }
        let first = try bytes(threads: 1, seed: 1)
        #expect(try bytes(threads: 2, seed: 1) == first)
        #expect(try bytes(threads: 2, seed: 2) != first)
    }

    @Test("who moves is heard elsewhere, without a click")
    func movement() throws {
        var call = try SimulatedCall(people: 2, talkers: 1)
        try call.room.move(call.people[1], to: .init(x: 0, z: 0))
        var largest: Float = 0
        for step in 0..<100 {
            let turn = Double(step) / 100 * 2 * Double.pi
            try call.room.move(call.people[0], to: .init(x: 1.5 * sin(turn), z: 1.5 * cos(turn)))
            _ = try call.step()
            guard let mix = call.room.lastMix(of: call.people[1]) else { continue }
            for i in 1..<mix.left.count { largest = max(largest, (mix.left[i] - mix.left[i - 1]).magnitude) }
        }
        // The step of a sample of this speech at its loudest; a filter that changed at once would double it.
        #expect(largest < 0.25)
    }

    @Test("people come and go, and the room says who speaks")
    func comingAndGoing() throws {
        var call = try SimulatedCall(people: 3, talkers: 1)
        for _ in 0..<50 { _ = try call.step() }
        let states = call.room.participants
        #expect(states.map(\.isSpeaking) == [true, false, false])
        #expect(states[0].level > -40 && states[1].level == -100)
        call.room.leave(call.people[2])
        let later = try call.room.join(at: .init(x: 0, z: 0))
        #expect(try call.step().map(\.participant) == [call.people[0], call.people[1], later])
        try call.room.setMuted(true, call.people[0])
        var quiet = 1.0
        for _ in 0..<60 {
            _ = try call.step()
            quiet = energy(call.room.lastMix(of: later)?.left ?? [])
        }
        #expect(quiet < 1e-6)
        #expect(throws: VoiceRoomError.self) { try call.room.setGain(0, of: call.people[2]) }
    }

    @Test("what makes no sense is refused with a reason or counted")
    func refusals() throws {
        var settings = VoiceRoom.Settings()
        settings.capacity = 1
        let room = try VoiceRoom(settings)
        let only = try room.join(at: .init(x: 0, z: 0))
        #expect { try room.join(at: .init(x: 0, z: 0)) } throws: { "\($0)".contains("capacity") }
        #expect { try room.move(only, to: .init(x: .nan, z: 0)) } throws: { "\($0)".contains("finite") }
        for bytes in [[], [0xff], [UInt8](repeating: 0x48, count: 3000), [0x48, 1, 2, 3]] {
            try room.receive(bytes, timestamp: 0, from: only, at: 0)
            try room.receive(bytes, timestamp: .max / 2, from: only, at: .infinity)
        }
        for tick in 0..<20 { _ = room.advance(to: Double(tick) * 0.02) }
        #expect(room.participants[0].packets.damaged >= 4)
        settings.size = (0, 1, 1)
        #expect { try VoiceRoom(settings) } throws: { "\($0)".contains("width") }
    }
}
