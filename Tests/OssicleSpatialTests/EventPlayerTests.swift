import OssiclePlayback
import OssicleRender
import OssicleSoundEvents
import Testing
@testable import OssicleSpatial

/// Events without leaves: what becomes of the client's calls.
@Suite struct EventPlayerTests {
    private final class Host: SpatialHost {
        var released = 0
        var ends = 0
        func record(_ error: any Error) {}
        func call(_ handler: @escaping @Sendable () -> Void) { handler() }
        func release(_ object: AnyObject) { released += 1 }
        func eventHasEnded() { ends += 1 }
        func timeHasBegunAnew() {}
    }

    private final class Reasons: @unchecked Sendable {
        var ends: [EventEnd] = []
        var seeks: [SeekResult] = []
    }

    private func player(_ host: Host) -> EventPlayer {
        let player = EventPlayer(executor: Executor(), clock: RenderClock())
        player.host = host
        return player
    }

    private func event(_ player: EventPlayer) throws -> EventInstance {
        let root = EventTree.Node(identifier: "root", definition: 0, kind: .container)
        let tree = try #require(EventTree(nodes: [root], mixers: [], parameters: []))
        return EventInstance(
            EventParts(
                number: player.nextNumber(), assetIdentifier: "event", event: RegisteredEvent(tree: tree), bindings: [],
                sounds: [:], parameters: [], outlets: [], streams: nil))
    }

    @Test func `an event that is stopped ends with the next update, once`() throws {
        let (host, reasons) = (Host(), Reasons())
        let player = player(host)
        let event = try event(player)
        player.start(event, at: nil, owner: host) { reasons.ends.append($0) }
        #expect(event.stage == .waiting && player.events.count == 1)
        player.terminate(event, waits: true)
        #expect(event.stage == .ending && reasons.ends.isEmpty)
        player.carryOutCalls()
        player.carryOutCalls()
        #expect(event.stage == .ended && reasons.ends == [.terminated])
        #expect(host.released == 1 && host.ends == 1 && event.client == nil)
    }

    @Test func `an ended event goes once its tail is over`() throws {
        let host = Host()
        let player = player(host)
        let event = try event(player)
        player.start(event, at: nil, owner: host, nil)
        player.terminate(event, waits: false)
        #expect(player.dropSilent(at: 0).isEmpty)
        #expect(player.dropSilent(at: 256).count == 1 && player.events.isEmpty && player.hasChangedPlan)
    }

    @Test func `a seek before the start is remembered, one more while another is under way fails`() throws {
        let (host, reasons) = (Host(), Reasons())
        let player = player(host)
        let event = try event(player)
        #expect(!player.seek(event, to: 2, at: nil, isAlive: true) { reasons.seeks.append($0) })
        #expect(event.transport.startPosition == 2)
        player.start(event, at: nil, owner: host, nil)
        #expect(player.seek(event, to: 3, at: nil, isAlive: true) { reasons.seeks.append($0) })
        #expect(!player.seek(event, to: 4, at: nil, isAlive: true) { reasons.seeks.append($0) })
        #expect(reasons.seeks == [.successful, .alreadyInProgress])
        player.pause(event)
        #expect(event.transport.startPosition == 3 && reasons.seeks.last == .successful)
    }

    @Test func `a sequence knows what comes next`() {
        var progress = SequenceProgress(of: [4, 7], from: 100)
        #expect(progress.next == 1)
        progress.begins.append(.max)
        #expect(progress.next == nil)
        #expect(SequenceProgress(of: [], from: 0).next == nil)
    }
}
