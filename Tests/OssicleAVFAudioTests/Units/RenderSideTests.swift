import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleRender
import Synchronization
import Testing
@testable import OssicleAVFAudio

@Suite("Built-in units: what crosses to and from the render thread")
struct RenderSideTests {
    @Test("Observers hear of a ramp, from another thread than the one that renders")
    func observers() async throws {
        let host = try UnitHost(kAudioUnitSubType_NBandEQ) { _, _ in 0.5 }
        let tree = try #require(host.unit.parameterTree), gain = AUParameterAddress(kAUNBandEQParam_GlobalGain)
        let heard = Mutex<(value: AUValue, wasRenderThread: Bool)?>(nil)
        let renderThread = pthread_self()
        let token = tree.token(byAddingParameterObserver: { address, value in
            if address == gain { heard.withLock { $0 = (value, pthread_equal(pthread_self(), renderThread) != 0) } }
        })
        host.unit.scheduleParameterBlock(AUEventSampleTimeImmediate, 256, gain, -12)
        _ = host.render(512)
        #expect(tree.parameter(withAddress: gain)?.value == -12)
        for _ in 0..<3000 where heard.withLock({ $0?.value }) != -12 { usleep(10_000) }
        #expect(heard.withLock { $0?.value } == -12 && heard.withLock { $0?.wasRenderThread } == false)
        tree.removeParameterObserver(token)
    }

    @Test("Events of many senders arrive, each once, in the order of each sender")
    func ring() {
        let ring = SharedRing(capacity: 512, empty: AURenderEvent())
        DispatchQueue.concurrentPerform(iterations: 4) { sender in
            for number in 0..<100 {
                let event = AUParameterEvent(
                    next: nil, eventSampleTime: Int64(number), eventType: .parameter, reserved: (0, 0, 0),
                    rampDurationSampleFrames: 0,
                    parameterAddress: AUParameterAddress(sender), value: 0)
                #expect(ring.push(AURenderEvent(parameter: event)))
            }
        }
        var last = [Int64](repeating: -1, count: 4), count = 0
        while let event = ring.pop()?.parameter {
            let sender = Int(event.parameterAddress)
            #expect(event.eventSampleTime == last[sender] + 1)
            last[sender] = event.eventSampleTime
            count += 1
        }
        #expect(count == 400 && last == [99, 99, 99, 99])
    }

    @Test("A full ring refuses, and takes again once there is room")
    func full() {
        let ring = SharedRing(capacity: 4, empty: AURenderEvent())
        for _ in 0..<3 {
            for _ in 0..<4 { #expect(ring.push(AURenderEvent())) }
            #expect(!ring.push(AURenderEvent()))
            for _ in 0..<4 { #expect(ring.pop() != nil) }
            #expect(ring.pop() == nil)
        }
    }

    @Test("Of updates by several threads the newest arrives, and no two are under way at once")
    func turn() {
        final class Counts: Sendable {
            let wanted = Atomic<Int>(0), taken = Atomic<Int>(0), inside = Atomic<Int>(0), most = Atomic<Int>(0)

            func work() {
                most.max(inside.add(1, ordering: .sequentiallyConsistent).newValue, ordering: .sequentiallyConsistent)
                taken.store(wanted.load(ordering: .sequentiallyConsistent), ordering: .sequentiallyConsistent)
                inside.subtract(1, ordering: .sequentiallyConsistent)
            }
        }
        let counts = Counts(), turn = UpdateTurn { counts.work() }
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for _ in 0..<2000 {
                counts.wanted.add(1, ordering: .sequentiallyConsistent)
                if thread == 0 { turn.alone { counts.work() } }
                turn.run()
            }
        }
        #expect(
            counts.taken.load(ordering: .sequentiallyConsistent) == 8000
                && counts.most.load(ordering: .sequentiallyConsistent) == 1)
    }
}
