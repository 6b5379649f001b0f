import Dispatch
import Workbench

// Turned on, turned off in the middle of a loop, and a last short pass two seconds after it has died down. Every frame
// of it is known.
Report.on("Siren") { report in
    let rate = 48_000.0
    let siren = try Siren(rate: rate)
    let recorder = try Recorder(of: siren.engine, rate: rate)
    try siren.sound()
    try recorder.record(seconds: 3.33)
    let done = DispatchSemaphore(value: 0)
    siren.silence { done.signal() }
    siren.schedule(siren.sustain, seconds: 7.5)
    try recorder.record(seconds: 4.67)
    try report.heard(recorder.take, as: "Siren")

    let (attack, sustain, release) = (siren.attack.samples(), siren.sustain.samples(), siren.release.samples())
    let turnedOff = Int(3.33 * rate)
    let passes = (turnedOff - attack.count + sustain.count - 1) / sustain.count
    let seam = attack.count + passes * sustain.count
    var expected = attack + Array(repeating: sustain, count: passes).joined() + release
    expected += Array(repeating: 0, count: Int(7.5 * rate) - expected.count) + sustain
    expected += Array(repeating: 0, count: recorder.take.left.count - expected.count)
    report.fact("attack \(attack.count) frames, then \(passes) passes of \(sustain.count)")
    report.fact(
        "turned off on frame \(turnedOff), dies down from frame \(seam) on, \(seam - turnedOff) frames later; once more on frame \(Int(7.5 * rate))"
    )

    let wrong = zip(recorder.take.left, expected).enumerated().first { $1.0 != $1.1 }
    try report.require(
        wrong == nil, "frame \(wrong.map { "\($0.offset) is \($0.element.0) instead of \($0.element.1)" } ?? "")")
    try report.require(recorder.take.left == recorder.take.right, "a mono player sounds different on the two sides")
    report.fact("all \(expected.count) frames are those of the buffers, on both sides")
    let steepest = Float(0.4 * 2 * 3.141_592_7 * 700 / rate)
    report.fact(
        "largest step from frame to frame \(recorder.take.largestStep), of a 700 Hz tone at its steepest \(steepest)")
    try report.require(recorder.take.largestStep <= 1.001 * steepest, "a seam can be heard")
    try report.require(done.wait(timeout: .now() + 5) == .success, "nobody was told that it has died down")
}
