import Foundation
import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleDevices
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

/// I/O units at a private server, whose microphone is what is played to a second sink: a tone of 1 kHz and 0.25.
@Suite("I/O units at a sound server", .serialized, .enabled(if: SoundServer.isRunning))
struct ServerUnitTests {
    @Test("The microphone, ring-modulated by an I/O unit, is heard at the sum and the difference of both frequencies")
    func ringModulator() throws {
        let microphone = try Microphone()
        let unit = try AUAudioUnit(
            componentDescription: AudioComponentDescription(builtIn: kAudioUnitType_Output, kAudioUnitSubType_RemoteIO))
        #expect(unit.canPerformInput && unit.inputBusses[1].format.sampleRate == 48000)
        let mono = OfflineRig.format(48000, 1)
        try unit.inputBusses[0].setFormat(mono)
        try unit.outputBusses[1].setFormat(mono)
        unit.isInputEnabled = true
        unit.maximumFramesToRender = 1024
        try unit.allocateRenderResources()
        let render = unit.renderBlock
        unit.outputProvider = { flags, time, frames, _, list in
            let status = render(flags, time, frames, 1, list, nil)
            guard status == noErr,
                let samples = UnsafeMutableAudioBufferListPointer(list)[0].mData?.assumingMemoryBound(to: Float.self)
            else { return status }
            for frame in 0..<Int(frames) {
                samples[frame] *= Float(sin(2 * .pi * 300 * (time.pointee.mSampleTime + Double(frame)) / 48000))
            }
            return noErr
        }
        let heard = try Tape(SoundServer.sink + ".monitor")
        try unit.startHardware()
        #expect(unit.isRunning)
        let sound = heard.seconds(1, after: 1)
        unit.stopHardware()
        heard.stop()
        withExtendedLifetime(microphone) {}
        // sin a · sin b = (cos(a − b) − cos(a + b)) / 2
        let levels = [700.0, 1300, 1000, 300].map { Self.level($0, in: sound) }
        #expect(abs(levels[0] - 0.125) < 0.002 && abs(levels[1] - 0.125) < 0.002, "\(levels)")
        #expect(levels[2] < 0.002 && levels[3] < 0.002, "\(levels)")
    }

    /// The median of tenths of a second, because a block may be late on a busy machine, and its frames lost.
    private static func level(_ frequency: Double, in sound: [Float]) -> Double {
        let levels = stride(from: 0, through: sound.count - 4800, by: 4800).map {
            Measure.tone(frequency, in: Array(sound[$0..<$0 + 4800])).amplitude
        }
        return levels.isEmpty ? 0 : levels.sorted()[levels.count / 2]
    }

    @Test("In the C interface the input callback is called with frames that AudioUnitRender fetches from bus 1")
    func inputCallback() throws {
        let microphone = try Microphone()
        let handle = try UnitHandle(kAudioUnitSubType_HALOutput, kAudioUnitType_Output)
        #expect(handle.get(kAudioOutputUnitProperty_HasIO, kAudioUnitScope_Input, 1, UInt32(0)).1 == 1)
        #expect(handle.set(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, UInt32(1)) == noErr)
        #expect(handle.set(kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0, UInt32(0)) == noErr)
        let mono = OfflineRig.format(48000, 1).streamDescription.pointee
        #expect(handle.set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, mono) == noErr)
        let catcher = Catcher(handle.unit)
        let callback: AURenderCallback = { reference, flags, time, bus, frames, _ in
            Unmanaged<Catcher>.fromOpaque(reference).takeUnretainedValue().fetch(flags, time, bus, frames)
        }
        let data = AURenderCallbackStruct(
            inputProc: callback, inputProcRefCon: Unmanaged.passUnretained(catcher).toOpaque())
        #expect(handle.set(kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, 0, data) == noErr)
        #expect(AudioUnitInitialize(handle.unit) == noErr && AudioOutputUnitStart(handle.unit) == noErr)
        #expect(handle.get(kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, UInt32(0)).1 == 1)
        #expect(eventually { catcher.sound.values.count > 96_000 || catcher.failures.values.count > 0 })
        #expect(AudioOutputUnitStop(handle.unit) == noErr)
        #expect(handle.get(kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, UInt32(1)).1 == 0)
        withExtendedLifetime(microphone) {}
        #expect(catcher.failures.values.isEmpty)
        let tone = Measure.tone(1000, in: Array(catcher.sound.values.suffix(24_000)))
        #expect(abs(tone.amplitude - 0.25) < 0.001 && tone.signalToNoise > 60, "\(tone)")
    }

    private final class Catcher: @unchecked Sendable {
        let sound = Log<Float>()
        let failures = Log<OSStatus>()
        private let unit: AudioUnit
        private let list = AudioBufferList.allocate(maximumBuffers: 1)

        init(_ unit: AudioUnit) { self.unit = unit }
        deinit { free(list.unsafeMutablePointer) }

        func fetch(
            _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ time: UnsafePointer<AudioTimeStamp>,
            _ bus: UInt32, _ frames: UInt32
        ) -> OSStatus {
            // The unit lends the memory.
            list[0] = AudioBuffer(mNumberChannels: 1, mDataByteSize: frames * 4, mData: nil)
            let status = AudioUnitRender(unit, flags, time, bus, frames, list.unsafeMutablePointer)
            if status != noErr { failures.add([status]) }
            if let samples = list[0].mData?.assumingMemoryBound(to: Float.self) {
                sound.add(Array(UnsafeBufferPointer(start: samples, count: Int(frames))))
            }
            return status
        }
    }
}

/// The server's default source while this lives.
private final class Microphone {
    private let modules: [String]
    private let voice: any OutputDevice

    init() throws {
        modules = [
            try SoundServer.addSink("voice"),
            try SoundServer.control(
                "load-module", "module-remap-source", "source_name=microphone", "master=voice.monitor", "channels=1",
                "master_channel_map=front-left", "channel_map=mono", "remix=no"),
        ]
        try SoundServer.setDefault(.source, "microphone")
        voice = try PortOutput(.pulse("voice"))
        let position = Counter()
        try voice.start { block in
            let first = position.take(block.frameCount)
            for channel in 0..<block.channelCount {
                for frame in 0..<block.frameCount {
                    block[channel][frame] = Float(0.25 * sin(2 * .pi * Double((first + frame) % 48) / 48))
                }
            }
        }
    }

    deinit {
        voice.stop()
        for module in modules.reversed() { _ = try? SoundServer.control("unload-module", module) }
    }

    private final class Counter: @unchecked Sendable {
        private var count = 0
        func take(_ frames: Int) -> Int {
            defer { count += frames }
            return count
        }
    }
}

/// What the left channel of a source captures.
private final class Tape {
    private let input: any InputDevice
    private let sound = Log<Float>()

    init(_ source: String) throws {
        input = try PortInput(.pulse(source))
        let sound = sound
        try input.start { sound.add(Array($0[0])) }
    }

    /// The seconds that follow the first ones in which there is sound.
    func seconds(_ count: Double, after skipped: Double) -> [Float] {
        let frames = Int((count + skipped) * 48000)
        var heard: [Float] = []
        _ = eventually {
            heard = Array(sound.values.drop { $0 == 0 })
            return heard.count >= frames
        }
        return Array(heard.dropFirst(Int(skipped * 48000)).prefix(Int(count * 48000)))
    }

    func stop() { input.stop() }
}

/// Whether something becomes so, in twenty seconds at most.
private func eventually(_ isSo: () -> Bool) -> Bool {
    for _ in 0..<400 {
        if isSo() { return true }
        Thread.sleep(forTimeInterval: 0.05)
    }
    return isSo()
}
