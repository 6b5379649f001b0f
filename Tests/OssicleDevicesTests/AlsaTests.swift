@testable import OssicleDevices
import CAlsa
import Foundation
import OssicleChannels
import OssicleTestSupport
import Synchronization
import Testing

@Suite(.serialized, .enabled(if: ossicle_load_alsa() && AlsaConfiguration.folder != nil)) struct AlsaTests {
    @Test("Devices of the configuration are listed with its words, and found by a part of them")
    func list() throws {
        let device = try #require(AlsaDirectory.list().outputs.first { $0.id == "alsa:nowhere" })
        #expect(device.name == "Nowhere at all" && device.backend == .alsa && device.channelCount == 2)
        #expect(try Devices.output("alsa:nowhere").name == "ALSA device nowhere")
        #expect(try Devices.output("at all").name == "ALSA device nowhere")
    }

    @Test(
        "A device plays in whole blocks at the pace of the clock, stops, and starts again",
        arguments: ["nowhere", "coarse"])
    func plays(name: String) throws {
        let device = try PortOutput(.alsa(name), FormatWishes(quantum: 256))
        #expect(device.sampleRate == 48000 && device.channelCount == 2 && device.quantum == 256)
        for _ in 0..<2 {
            let frames = Mutex(0)
            let log = EventLog()
            let begin = ContinuousClock.now
            try device.start(
                render: { block in
                    let count = block.frameCount
                    frames.withLock { $0 += count }
                }, events: { log.hear($0) })
            #expect(throws: DeviceError.alreadyRunning(device: device.name)) { try device.start { _ in } }
            #expect(eventually { frames.withLock { $0 } >= 9600 })
            #expect(device.stop())
            let total = frames.withLock { $0 }
            // Not faster than the clock, but for what the device holds and a pause that was made up for.
            #expect(Double(total) / 48000 < begin.duration(to: .now) / .seconds(1) + 0.3)
            #expect(total % 256 == 0 && log.events == [.started, .stopped] && device.dropoutCount == 0)
        }
    }

    @Test("What is played reaches the device, sample for sample")
    func samples() throws {
        let file = try #require(AlsaConfiguration.folder).appendingPathComponent("store.raw")
        let device = try PortOutput(.alsa("store"), FormatWishes(channelCount: 2))
        let sound = (0..<9600).map { Float($0 % 997) / 1000 - 0.5 }
        try device.play(interleaved: sound)
        let data = try Data(contentsOf: file)
        let stored = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        #expect(Array(stored.prefix(sound.count)) == sound)
        #expect(stored.dropFirst(sound.count).allSatisfy { $0 == 0 })
    }

    /// A device that states nothing has ALSA's order, surrounds before centre and LFE.
    @Test(
        "Channels go where the device has them, by its map or ALSA's order",
        arguments: [
            ("store", "L R C LFE Ls Rs", [0, 1, 4, 5, 2, 3]), ("store", "C L R Ls Rs LFE", [1, 2, 3, 4, 0, 5]),
            ("store", "L R C LFE Ls Rs Rls Rrs", [0, 1, 6, 7, 2, 3, 4, 5]),
            ("stated", "L R C LFE Ls Rs", [0, 1, 2, 3, 4, 5]), ("stated", "C L R Ls Rs LFE", [1, 2, 0, 5, 3, 4]),
            ("store", "L R C Ls Rs", [0, 1, 3, 4, 2]),
            ("tall", AlsaTests.heights, [0, 1, 6, 7, 2, 3, 4, 5, 8, 9, 10, 11]),
        ])
    func order(name: String, layout: String, order: [Int]) throws {
        let file = try #require(AlsaConfiguration.folder).appendingPathComponent(name + ".raw")
        let labels = ChannelOrder.labels(named: layout)
        let device = try PortOutput(
            .alsa(name), FormatWishes(channelCount: labels.count, channelLabels: labels, quantum: 256))
        try device.play(interleaved: (0..<512).flatMap { _ in labels.indices.map { Float($0 + 1) / 16 } })
        let stored = try Data(contentsOf: file).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        #expect(stored.prefix(labels.count).map { Int($0 * 16) - 1 } == order)
    }

    /// 7.1.4.
    private static let heights = "L R C LFE Ls Rs Rls Rrs Vhl Vhr Ltr Rtr"

    @Test(
        "A device of one number of channels is opened with them, in the engines' order", arguments: ["eight", "twelve"])
    func own(name: String) throws {
        let device = try PortOutput(.alsa(name))
        let count = name == "eight" ? 8 : 12
        #expect(device.channelCount == count && device.channelLabels == DeviceChannels.usual(count))
        let plain = try PortOutput(.alsa("nowhere"))
        #expect(plain.channelCount == 2 && plain.channelLabels == nil)
    }

    @Test("7.1.4, played to a device and recorded from one of the same map, comes back channel by channel")
    func heightChannels() throws {
        let labels = ChannelOrder.labels(named: Self.heights)
        let wishes = FormatWishes(channelCount: 12, channelLabels: labels, quantum: 256)
        let output = try PortOutput(.alsa("tall"), wishes)
        try output.play(interleaved: (0..<9600).flatMap { _ in labels.indices.map { Float($0 + 1) / 16 } })
        let input = try PortInput(.alsa("replay"), wishes)
        let heard = Mutex<[[Float]]>([])
        try input.start { block in
            let frame = (0..<12).map { block[$0][0] }
            heard.withLock { $0.append(frame) }
        }
        #expect(eventually { heard.withLock { $0.count } >= 20 })
        #expect(input.stop())
        #expect(heard.withLock { $0 }.prefix(20).allSatisfy { $0 == labels.indices.map { Float($0 + 1) / 16 } })
    }

    @Test("A device that takes no samples of ours, and one of two channels asked for six, say so")
    func refusals() {
        let table: [(String, Int?, String)] = [
            ("lawful", nil, "no samples of 16, 24 or 32 bits"), ("pair", 6, "2 channels, not 6"),
        ]
        for (name, channels, words) in table {
            for open in [{ _ = try PortOutput($0, $1) }, { _ = try PortInput($0, $1) }]
                as [(DeviceTarget, FormatWishes) throws -> Void]
            {
                #expect {
                    try open(.alsa(name), FormatWishes(channelCount: channels))
                } throws: {
                    guard case DeviceError.rejected? = $0 as? DeviceError else { return false }
                    return "\($0)".contains(words) && "\($0)".contains("choose another device")
                }
            }
        }
    }

    @Test("A device that this user may not open says whose it is")
    func denied() throws {
        let folder = try #require(AlsaConfiguration.folder).appendingPathComponent("private")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        chmod(folder.path, 0)
        let error = try #require(
            errorAsStranger { () throws(DeviceError) in
                _ = try PortInput(.alsa("private"))
            })
        #expect("\(error)".contains("group audio") && !error.meansNoDevice)
    }

    @Test("An input hands over whole blocks")
    func records() throws {
        let input = try PortInput(.alsa("nowhere"), FormatWishes(channelCount: 1, quantum: 512))
        let frames = Mutex(0)
        let log = EventLog()
        try input.start(
            receive: { block in
                let count = block.frameCount
                frames.withLock { $0 += count }
            }, events: { log.hear($0) })
        #expect(eventually { frames.withLock { $0 } >= 4800 })
        #expect(input.stop() && frames.withLock { $0 } % 512 == 0 && log.events == [.started, .stopped])
    }

    @Test("A device that is not there is an error of its own, which says so")
    func absent() {
        #expect {
            try PortOutput(.alsa("hw:Nothing"))
        } throws: {
            ($0 as? DeviceError)?.meansNoDevice == true && "\($0)".contains("ossicle devices")
        }
    }
}

@Suite struct AlsaSamplesTests {
    @Test("Samples survive the way through every format to half a step", arguments: AlsaSamples.allCases)
    func roundTrip(format: AlsaSamples) {
        let bits = [AlsaSamples.float32: 60, .int32: 31, .int24: 23, .int16: 15][format] ?? 15
        let source: [Float] = [0, 0.5, -0.5, 0.123_456_7, -0.999, -1, 0.25]
        var (raw, back) = ([UInt8](repeating: 0, count: 64), [Float](repeating: 9, count: source.count))
        format.encode(source, count: source.count, into: &raw)
        format.decode(raw, count: source.count, into: &back)
        for (a, b) in zip(source, back) {
            // Half a step, and what a float cannot tell.
            #expect(abs(Double(a) - Double(b)) <= 0.5 / Double(1 << bits) + 6e-8)
        }
    }

    @Test(
        "What is beyond full scale stays at it, and what is not a number is silence",
        arguments: AlsaSamples.allCases.dropFirst())
    func limits(format: AlsaSamples) {
        let source: [Float] = [2, -2, .infinity, -.infinity, .nan]
        var (raw, back) = ([UInt8](repeating: 0, count: 64), [Float](repeating: 9, count: source.count))
        format.encode(source, count: source.count, into: &raw)
        format.decode(raw, count: source.count, into: &back)
        for (found, wanted) in zip(back, [1, -1, 1, -1, 0] as [Float]) { #expect(abs(found - wanted) < 1e-4) }
    }
}
