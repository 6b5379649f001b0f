import Foundation
import OssicleAVFAudio
import OssicleTestSupport
import Synchronization
import Testing

@Suite struct OverloadTests {
    @Test func `an engine that renders too slowly for its device says so, and when it is over`() throws {
        let engine = AVAudioEngine(), isSlow = Atomic(true), errors = Mutex<[String]>([])
        engine.errorHandler = { error in errors.withLock { $0.append("\(error)") } }
        let source = AVAudioSourceNode { isSilence, _, _, _ in
            // A block of 128 frames lasts 2.7 ms.
            if isSlow.load(ordering: .relaxed) { usleep(30_000) }
            isSilence.pointee = true
            return noErr
        }
        engine.attach(source)
        engine.connect(source, to: engine.mainMixerNode, format: nil)
        try engine.start()
        let begins = waitUntil { engine.isOverloaded }
        #expect(begins && engine.secondsBehindDevice > 0.1)
        // The handler is called on a thread of its own.
        let reports = { errors.withLock { $0 }.filter { $0.contains("s behind its device") }.count }
        #expect(waitUntil { reports() > 0 } && reports() == 1)
        isSlow.store(false, ordering: .relaxed)
        let ends = waitUntil { !engine.isOverloaded }
        #expect(ends)
        engine.stop()
        #expect(engine.secondsBehindDevice == 0 && !engine.isOverloaded)
    }
}
