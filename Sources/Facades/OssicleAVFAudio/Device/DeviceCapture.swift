import OssicleCoreAudioTypes
import OssicleDevices
import OssicleRender

/// Sound from the default input, on its way to the render side.
final class DeviceCapture: @unchecked Sendable {
    private let input: any InputDevice
    private let buffer: CaptureBuffer
    private let clock: RenderClock

    /// Opens the default input at the engine's rate. Throws `DeviceError` where there is none.
    init(sampleRate: Double, outputQuantum: Int, clock: RenderClock) throws {
        input = try DefaultInput.open(sampleRate: sampleRate)
        self.clock = clock
        buffer = CaptureBuffer(channelCount: input.channelCount, sampleRate: input.sampleRate, inputQuantum: input.quantum, outputQuantum: outputQuantum)
    }

    /// Seconds from the microphone to the render side.
    var latency: TimeInterval { input.latency + Double(buffer.targetFrames) / buffer.sampleRate }

    func start(_ events: @escaping @Sendable (DeviceEvent) -> Void) throws {
        let buffer = buffer
        try input.start(receive: { buffer.write($0) }, events: events)
    }

    func halt() { input.stop() }

    /// Render side.
    func render(_ ports: Ports, _ context: RenderContext) {
        let time = clock.hostTime(of: context.position, buffer.sampleRate)
        let count = buffer.read(into: ports.outputs, channelCount: ports.outputCount, frameCount: context.frames, hostTime: time)
        if count == 0 { ports.markSilent(0) }
    }
}
