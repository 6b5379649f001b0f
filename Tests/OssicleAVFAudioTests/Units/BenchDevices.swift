import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleDevices
import OssiclePlayback
@testable import OssicleAVFAudio

/// An output that is pulled by hand.
final class BenchOutput: OutputDevice, @unchecked Sendable {
    let name = "bench"
    let sampleRate: Double
    let channelCount = 2
    let quantum = 256
    let latency = 0.02
    let dropoutCount = 0
    var isBusy = false
    private var render: RenderCallback?
    private var events: (@Sendable (DeviceEvent) -> Void)?

    init(_ sampleRate: Double) { self.sampleRate = sampleRate }

    var isRunning: Bool { render != nil }

    func start(render: @escaping RenderCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws {
        if isBusy { throw DeviceError.alreadyRunning(device: name) }
        (self.render, self.events) = (render, events)
        events(.started)
    }

    func stop() -> Bool {
        events?(.stopped)
        (render, events) = (nil, nil)
        return true
    }

    /// As if it were pulled out.
    func lose() {
        events?(.lost(.alreadyRunning(device: name)))
        (render, events) = (nil, nil)
    }

    /// A block of this many frames, which is at the loudspeaker at 1 ns.
    func run(_ frames: Int) -> [[Float]] {
        let channels = (0..<2).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: frames) }
        for channel in channels { channel.initialize(repeating: 0, count: frames) }
        defer { for channel in channels { channel.deallocate() } }
        channels.withUnsafeBufferPointer {
            if let base = $0.baseAddress {
                render?(OutputBlock(channels: base, channelCount: 2, frameCount: frames, hostTime: 1))
            }
        }
        return channels.map { Array(UnsafeBufferPointer(start: $0, count: frames)) }
    }
}

/// An input of two channels that is given its blocks by hand.
final class BenchInput: InputDevice, @unchecked Sendable {
    let name = "bench input"
    let sampleRate: Double
    let channelCount = 2
    let quantum = 256
    let latency = 0.01
    let dropoutCount = 0
    var isMissing = false
    private var receive: ReceiveCallback?
    private var position = 0

    init(_ sampleRate: Double) { self.sampleRate = sampleRate }

    /// What it captures: noise in steps of 1/32768, never zero.
    static func sample(_ frame: Int, _ channel: Int) -> Float {
        (OfflineRig.noise(frame, channel) * 16000).rounded() / 32768 + 0.5 / 1024
    }

    var isRunning: Bool { receive != nil }

    func start(receive: @escaping ReceiveCallback, events: @escaping @Sendable (DeviceEvent) -> Void) throws {
        (self.receive, position) = (receive, 0)
        events(.started)
    }

    func stop() -> Bool {
        receive = nil
        return true
    }

    func send(_ frames: Int, hostTime: UInt64) {
        let channels = (0..<2).map { channel in
            let plane = UnsafeMutablePointer<Float>.allocate(capacity: frames)
            for frame in 0..<frames { (plane + frame).initialize(to: Self.sample(position + frame, channel)) }
            return plane
        }
        defer { for channel in channels { channel.deallocate() } }
        channels.withUnsafeBufferPointer {
            if let base = $0.baseAddress {
                receive?(InputBlock(channels: base, channelCount: 2, frameCount: frames, hostTime: hostTime))
            }
        }
        position += frames
    }
}

/// An I/O unit's hardware at two benches, at 48 kHz, that renders up to 512 frames.
struct DuplexRig {
    let output = BenchOutput(48000)
    let input = BenchInput(48000)
    let hardware: UnitHardware
    let renderBlock: AUInternalRenderBlock

    /// - Parameters: channels: of the client's side of the input. - map: the device's channel of each of these.
    init(
        client: AVAudioCommonFormat, channels: AVAudioChannelCount, clientRate: Double = 48000, map: [Int]? = nil
    ) throws {
        let input = input
        let devices = UnitDevices(output) { rate in
            if input.isMissing { throw DeviceError.alreadyRunning(device: input.name) }
            return input
        }
        let device = OfflineRig.format(48000, 2)
        hardware = UnitHardware(devices, output: device, input: device)
        let asbd = client.description(
            sampleRate: clientRate, channels: channels, interleaved: client == .pcmFormatInt16)
        hardware.prepare(
            UnitShape(
                inputs: [device], outputs: [device, AVAudioFormat(unchecked: asbd)], maximumFrames: 512,
                inputChannelMap: map))
        renderBlock = hardware.makeRenderBlock()
    }

    func start(provider: AURenderPullInputBlock?, handler: AUInputHandler? = nil) throws {
        var run = UnitHardware.Run(handler: handler, hasInput: true)
        if let provider { run.provider = provider }
        try hardware.start(run)
    }
}

/// Values under a lock.
final class Log<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var kept: [Value] = []
    var values: [Value] { lock.withLock { kept } }
    func add(_ values: [Value]) { lock.withLock { kept += values } }
}
