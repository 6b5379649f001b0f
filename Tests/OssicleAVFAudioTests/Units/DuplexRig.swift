import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleDevices
import OssiclePlayback
import OssicleTestSupport
import Synchronization
@testable import OssicleAVFAudio

/// An I/O unit's hardware at two driven devices, at 48 kHz, that renders up to 512 frames.
struct DuplexRig {
    let output = DrivenOutput(quantum: 256)
    let input: DrivenInput
    /// Whether there is none.
    let isInputMissing = Flag()
    let hardware: UnitHardware
    let renderBlock: AUInternalRenderBlock

    /// - Parameters: channels: of the client's side of the input. - map: the device's channel of each of these.
    init(
        client: AVAudioCommonFormat, channels: AVAudioChannelCount, clientRate: Double = 48000, map: [Int]? = nil
    ) throws {
        let input = DrivenInput(channelCount: 2, origin: output.origin, sample: DuplexRig.sample)
        self.input = input
        let devices = UnitDevices(output) { [isInputMissing] rate in
            if isInputMissing.isOn { throw DeviceError.noDevice(device: input.name, detail: "missing") }
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

    /// What is captured: noise in steps of 1/32768, never zero.
    static func sample(_ frame: Int, _ channel: Int) -> Float {
        (OfflineRig.noise(frame, channel) * 16000).rounded() / 32768 + 0.5 / 1024
    }

    func start(provider: AURenderPullInputBlock?, handler: AUInputHandler? = nil) throws {
        var run = UnitHardware.Run(handler: handler, hasInput: true)
        if let provider { run.provider = provider }
        try hardware.start(run)
    }
}

final class Flag: Sendable {
    private let value = Mutex(false)
    var isOn: Bool {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}

/// Values under a lock.
final class Log<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var kept: [Value] = []
    var values: [Value] { lock.withLock { kept } }
    func add(_ values: [Value]) { lock.withLock { kept += values } }
}
