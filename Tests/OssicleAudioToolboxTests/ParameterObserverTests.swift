import Foundation
import Testing
@testable import OssicleAudioToolbox

@Suite("Parameter observers") struct ParameterObserverTests {
    let first = makeParameter("first", at: 1)
    let second = makeParameter("second", at: 2)
    let tree: AUParameterTree

    init() { tree = AUParameterTree.createTree(withChildren: [first, second]) }

    @Test("An observer of the tree hears the newest value of each parameter, elsewhere than on the thread that sets it")
    func values() {
        let heard = Shared<[AUParameterAddress: AUValue]>([:]), done = Gate(), here = Thread.current
        let token = tree.token(byAddingParameterObserver: { address, value in
            heard.change { $0[address] = Thread.current === here ? .nan : value }
            if heard.value == [1: 9, 2: 4] { done.open() }
        })
        for value in 0..<10 { first.value = AUValue(value) }
        second.value = 4
        #expect(done.wait())
        tree.removeParameterObserver(token)
    }

    @Test("A recording observer hears every change in order, with host times that never go back")
    func recording() {
        let heard = Shared<[AURecordedParameterEvent]>([]), done = Gate()
        let token = first.token(byAddingParameterRecordingObserver: { count, events in
            heard.change { $0 += UnsafeBufferPointer(start: events, count: count) }
            if heard.value.count == 10 { done.open() }
        })
        for value in 0..<10 { first.value = AUValue(value) }
        second.value = 1
        #expect(done.wait())
        first.removeParameterObserver(token)
        let events = heard.value
        #expect(
            events.map(\.value) == (0..<10).map { AUValue($0) }
                && events.allSatisfy { $0.address == 1 && $0.hostTime > 0 })
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.hostTime <= $1.hostTime })
    }

    @Test("An automation observer hears touch, values and release with the host times given")
    func automation() {
        let heard = Shared<[AUParameterAutomationEvent]>([]), done = Gate()
        let token = tree.token(byAddingParameterAutomationObserver: { count, events in
            heard.change { $0 += UnsafeBufferPointer(start: events, count: count) }
            if heard.value.count == 3 { done.open() }
        })
        first.setValue(1, originator: nil, atHostTime: 100, eventType: .touch)
        first.setValue(2, originator: nil, atHostTime: 200)
        first.setValue(3, originator: nil, atHostTime: 300, eventType: .release)
        #expect(done.wait())
        tree.removeParameterObserver(token)
        #expect(
            heard.value.map(\.eventType) == [.touch, .value, .release]
                && heard.value.map(\.hostTime) == [100, 200, 300])
    }

    @Test("The originator of a change does not hear of it, the others do")
    func originator() {
        let own = Shared<[AUValue]>([]), other = Shared<[AUValue]>([]), done = Gate()
        let token = tree.token(byAddingParameterRecordingObserver: { count, events in
            own.change { $0 += UnsafeBufferPointer(start: events, count: count).map(\.value) }
        })
        let otherToken = tree.token(byAddingParameterRecordingObserver: { count, events in
            other.change { $0 += UnsafeBufferPointer(start: events, count: count).map(\.value) }
            if other.value.count == 3 { done.open() }
        })
        first.setValue(1, originator: token)
        first.setValue(2, originator: otherToken)
        first.setValue(3, originator: token)
        first.setValue(4, originator: nil)
        #expect(done.wait())
        flush()
        tree.removeParameterObserver(token)
        tree.removeParameterObserver(otherToken)
        #expect(own.value == [2, 4] && other.value == [1, 3, 4])
    }

    @Test("An observer can remove itself in its call, and is not called again")
    func removalInside() {
        let calls = Shared(0), token = Shared<AUParameterObserverToken?>(nil), done = Gate(), ready = Gate()
        token.change { [tree] in
            $0 = tree.token(byAddingParameterObserver: { [tree] _, _ in
                guard ready.wait(), let own = token.value else { return }
                tree.removeParameterObserver(own)
                calls.change { $0 += 1 }
                done.open()
            })
        }
        first.value = 1
        second.value = 2
        ready.open()
        #expect(done.wait())
        first.value = 3
        flush()
        #expect(calls.value == 1)
    }

    @Test("Removal waits for the call in motion, and nothing comes after it")
    func removalOutside() {
        let isInside = Gate(), goOn = Gate(), log = Shared<[String]>([])
        let token = tree.token(byAddingParameterObserver: { _, _ in
            isInside.open()
            _ = goOn.wait()
            log.change { $0.append("called") }
        })
        first.value = 1
        #expect(isInside.wait())
        let isRemoving = Gate(), isRemoved = Gate()
        Thread.detachNewThread { [tree, token = Shared(token)] in
            isRemoving.open()
            tree.removeParameterObserver(token.value)
            log.change { $0.append("removed") }
            isRemoved.open()
        }
        // Time enough for a removal that does not wait to be over too soon.
        #expect(isRemoving.wait())
        Thread.sleep(forTimeInterval: 0.02)
        goOn.open()
        #expect(isRemoved.wait())
        first.value = 3
        flush()
        #expect(log.value == ["called", "removed"])
    }

    @Test("A token of another node or of nobody does nothing")
    func strangeToken() throws {
        tree.removeParameterObserver(try #require(UnsafeMutableRawPointer(bitPattern: 1)))
        let heard = Gate()
        let token = first.token(byAddingParameterObserver: { _, _ in heard.open() })
        tree.removeParameterObserver(token)
        first.value = 1
        #expect(heard.wait())
        first.removeParameterObserver(token)
    }

    /// Waits until everything sent to observers so far has reached them.
    private func flush() {
        let parameter = makeParameter("probe"), done = Gate()
        let token = parameter.token(byAddingParameterObserver: { _, _ in done.open() })
        parameter.value = 1
        #expect(done.wait())
        parameter.removeParameterObserver(token)
    }
}
