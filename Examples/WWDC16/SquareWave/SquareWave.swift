import AVFoundation

/// A square wave at the default output, or the microphone ring-modulated by it, without an engine: an I/O unit asks for
/// each buffer when the device needs it.
final class SquareWave {
    /// What is heard.
    enum Sound { case wave, microphone }

    let oscillator: Oscillator
    private let unit: AUAudioUnit

    init(_ sound: Sound, frequency: Double) throws {
        unit = try AUAudioUnit(
            componentDescription: AudioComponentDescription(
                componentType: kAudioUnitType_Output, componentSubType: kAudioUnitSubType_RemoteIO,
                componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0))
        // One channel at the device's rate; the unit puts it where the device has its channels.
        let rate = unit.outputBusses[0].format.sampleRate
        guard let mono = AVAudioFormat(standardFormatWithSampleRate: rate, channels: 1) else {
            throw CocoaError(.featureUnsupported)
        }
        try unit.inputBusses[0].setFormat(mono)
        let oscillator = Oscillator(frequency: frequency, amplitude: sound == .wave ? 0.1 : 1, sampleRate: rate)
        self.oscillator = oscillator
        switch sound {
        case .wave:
            unit.outputProvider = { _, _, frames, _, list in
                oscillator.write(Int(frames), to: list)
                return noErr
            }
        case .microphone:
            try unit.outputBusses[1].setFormat(mono)
            unit.isInputEnabled = true
            let render = unit.renderBlock
            unit.outputProvider = { flags, time, frames, _, list in
                // Bus 1 has as many frames from the microphone as this buffer needs.
                let status = render(flags, time, frames, 1, list, nil)
                if status == noErr { oscillator.modulate(Int(frames), of: list) }
                return status
            }
        }
        try unit.allocateRenderResources()
    }

    /// Whether there is a microphone.
    var hasMicrophone: Bool { unit.canPerformInput }
    var isSounding: Bool { unit.isRunning }

    func start() throws { try unit.startHardware() }
    func stop() { unit.stopHardware() }
}
