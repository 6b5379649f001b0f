import AVFoundation
import Workbench

// A square wave by an I/O unit; then, where there is a microphone, that, ring-modulated.
Report.on("A square wave without an engine") { report in
    let wave = try SquareWave(.wave, frequency: 440)
    try wave.start()
    try report.require(wave.isSounding && wave.oscillator.gives(4800), "the device asks for no sound")
    wave.stop()
    let frames = wave.oscillator.frames
    try report.require(!wave.isSounding, "it runs after its stop")
    Thread.sleep(forTimeInterval: 0.1)
    try report.require(wave.oscillator.frames == frames, "the device asks for sound after the stop")
    report.fact("440 Hz for \(frames) frames, and silence after the stop")

    let microphone = try SquareWave(.microphone, frequency: 30)
    guard microphone.hasMicrophone else {
        return report.fact("no microphone: nothing to modulate")
    }
    try microphone.start()
    try report.require(microphone.oscillator.gives(4800), "the microphone gives no sound")
    microphone.stop()
    report.fact("the microphone, modulated with 30 Hz")
}

extension Oscillator {
    /// Whether so many frames have been asked for, within ten seconds.
    fileprivate func gives(_ wanted: Int) -> Bool {
        for _ in 0..<1000 where frames < wanted { Thread.sleep(forTimeInterval: 0.01) }
        return frames >= wanted
    }
}
