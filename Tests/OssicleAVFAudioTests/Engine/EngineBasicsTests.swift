import Foundation
import OssicleCoreAudioTypes
import Testing
@testable import OssicleAVFAudio

@Suite("Engine: sound from a source to the caller")
struct EngineBasicsTests {
    @Test("A source through the main mixer arrives bit for bit")
    func transparent() throws {
        let rig = try OfflineRig()
        let source = OfflineRig.source(OfflineRig.noise)
        rig.engine.attach(source)
        rig.engine.connect(source, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        let sound = try rig.render(3000, callsOf: 700)
        #expect(sound[0] == (0..<3000).map { OfflineRig.noise($0, 0) })
        #expect(sound[1] == (0..<3000).map { OfflineRig.noise($0, 1) })
        #expect(rig.engine.lastError == nil)
    }

    @Test("How the calls are cut does not change a byte")
    func cuts() throws {
        var sounds: [[[Float]]] = []
        for size in [1, 64, 127, 1024, 4096] {
            let rig = try OfflineRig()
            let sources = (0..<3).map { index in OfflineRig.source { OfflineRig.noise($0 + 1000 * index, $1) } }
            for source in sources {
                rig.engine.attach(source)
                rig.engine.connect(source, to: rig.engine.mainMixerNode, format: rig.format)
                source.volume = 0.3
            }
            sources[1].pan = 0.4
            try rig.engine.start()
            sounds.append(try rig.render(4096, callsOf: size))
        }
        for sound in sounds.dropFirst() { #expect(sound == sounds[0]) }
    }

    @Test("Mixing is addition in the order of the busses, and a volume one multiplication")
    func mixing() throws {
        let rig = try OfflineRig()
        let mixer = rig.engine.mainMixerNode
        let sources = (0..<4).map { index in OfflineRig.source { OfflineRig.noise($0 &* 7 &+ index &* 31, $1) } }
        let volumes: [Float] = [1, 0.7, 0.31, 1]
        for (source, volume) in zip(sources, volumes) {
            rig.engine.attach(source)
            rig.engine.connect(source, to: mixer, format: rig.format)
            source.volume = volume
        }
        try rig.engine.start()
        let sound = try rig.render(1000)
        let expected = (0..<1000).map { frame -> Float in
            var sum: Float = 0
            for index in 0..<4 {
                let value = OfflineRig.noise(frame &* 7 &+ index &* 31, 0) * volumes[index]
                sum = index == 0 ? value : sum + value
            }
            return sum
        }
        #expect(sound[0] == expected)
    }

    @Test("A single live input keeps the sign of zero")
    func negativeZero() throws {
        let rig = try OfflineRig()
        let source = OfflineRig.source { _, _ in -0.0 }
        let silent = AVAudioSourceNode { isSilence, _, _, _ in
            isSilence.pointee = true
            return noErr
        }
        for node in [silent, source] {
            rig.engine.attach(node)
            rig.engine.connect(node, to: rig.engine.mainMixerNode, format: rig.format)
        }
        try rig.engine.start()
        let sound = try rig.render(300)
        #expect(sound[0].allSatisfy { $0 == 0 && $0.sign == .minus })
    }

    @Test("One channel goes to both sides unchanged, two into one are averaged")
    func channels() throws {
        let rig = try OfflineRig()
        let mono = OfflineRig.source { frame, _ in OfflineRig.noise(frame, 0) }
        rig.engine.attach(mono)
        rig.engine.connect(mono, to: rig.engine.mainMixerNode, format: OfflineRig.format(48000, 1))
        try rig.engine.start()
        let sound = try rig.render(500)
        let expected = (0..<500).map { OfflineRig.noise($0, 0) }
        #expect(sound[0] == expected)
        #expect(sound[1] == expected)

        let narrow = try OfflineRig(channels: 1)
        let stereo = OfflineRig.source { _, channel in channel == 0 ? 0.5 : 0.25 }
        narrow.engine.attach(stereo)
        narrow.engine.connect(stereo, to: narrow.engine.mainMixerNode, format: OfflineRig.format(48000, 2))
        try narrow.engine.start()
        let folded = try narrow.render(100)
        #expect(folded[0].allSatisfy { $0 == 0.375 })
    }

    @Test("A change between two render calls takes effect at exactly that boundary")
    func boundary() throws {
        let rig = try OfflineRig()
        let source = OfflineRig.source { _, _ in 0.5 }
        rig.engine.attach(source)
        rig.engine.connect(source, to: rig.engine.mainMixerNode, format: rig.format)
        try rig.engine.start()
        #expect(try rig.render(333, callsOf: 333)[0].allSatisfy { $0 == 0.5 })
        rig.engine.disconnectNodeOutput(source)
        #expect(try rig.render(100, callsOf: 100)[0].allSatisfy { $0 == 0 })
        rig.engine.connect(source, to: rig.engine.mainMixerNode, format: rig.format)
        #expect(try rig.render(100, callsOf: 100)[0].allSatisfy { $0 == 0.5 })
        rig.engine.detach(source)
        #expect(try rig.render(100, callsOf: 100)[0].allSatisfy { $0 == 0 })
    }

    @Test("A tap delivers exact sizes and everything that flowed, off the thread that renders")
    func taps() throws {
        let rig = try OfflineRig()
        let source = OfflineRig.source(OfflineRig.noise)
        rig.engine.attach(source)
        rig.engine.connect(source, to: rig.engine.mainMixerNode, format: rig.format)
        let collected = Collected()
        rig.engine.mainMixerNode.installTap(onBus: 0, bufferSize: 480, format: nil) { buffer, time in
            collected.add(buffer, time)
        }
        source.installTap(onBus: 0, bufferSize: 64, format: nil) { buffer, time in collected.count(buffer) }
        try rig.engine.start()
        _ = try rig.render(4800, callsOf: 700)
        rig.engine.drainCallbacks()
        #expect(collected.sizes == Array(repeating: 480, count: 10))
        #expect(collected.samples == (0..<4800).map { OfflineRig.noise($0, 0) })
        #expect(collected.times == (0..<10).map { Int64($0) * 480 })
        #expect(collected.threads.allSatisfy { $0 != Thread.current.description })
        #expect(collected.others == 75)
    }

    @Test(
        "The size of a tap is a wish: below 64 frames and above 2^20 it is moved into that range",
        arguments: [0, 1, 63, 64, 1 << 20, .max] as [AVAudioFrameCount])
    func tapSizes(_ size: AVAudioFrameCount) throws {
        let rig = try OfflineRig()
        let source = OfflineRig.source(OfflineRig.noise)
        rig.engine.attach(source)
        rig.engine.connect(source, to: rig.engine.mainMixerNode, format: rig.format)
        let collected = Collected()
        try source.installAudioTap(onBus: 0, bufferSize: size, format: nil) { buffer, time in
            collected.count(frames: Int(buffer.frameLength))
        }
        try rig.engine.start()
        _ = try rig.render(640, callsOf: 100)
        source.removeTap(onBus: 0)
        rig.engine.drainCallbacks()
        #expect(collected.sizes == (size <= 64 ? Array(repeating: 64, count: 10) : [640]))
        #expect(rig.engine.lastError == nil)
    }

    final class Collected: @unchecked Sendable {
        private let lock = NSLock()
        var sizes: [Int] = [], samples: [Float] = [], times: [Int64] = [], threads: [String] = [], others = 0
        func add(_ buffer: AVAudioPCMBuffer, _ time: AVAudioTime) {
            lock.withLock {
                sizes.append(Int(buffer.frameLength))
                samples += UnsafeBufferPointer(start: buffer.floatChannelData?[0], count: Int(buffer.frameLength))
                times.append(time.sampleTime)
                threads.append(Thread.current.description)
            }
        }
        func count(frames: Int) { lock.withLock { sizes.append(frames) } }
        func count(_ buffer: AVAudioPCMBuffer) { lock.withLock { others += buffer.frameLength == 64 ? 1 : 0 } }
    }
}
