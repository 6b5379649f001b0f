import AVFoundation
import Workbench

// Navigation prompts: category .playback with options that lower music and pause speech, active only while one is
// spoken.
Report.on("Navigation") { report in
    let session = AVAudioSession.sharedInstance()
    let navigator = try Navigator()
    try report.require(session.categoryOptions.contains([.mixWithOthers, .duckOthers]), "the options are others")
    try report.require(!session.isActive, "it is active before it has to say anything")

    try report.require(try navigator.begin() == .normal && navigator.isSounding, "the first prompt is not spoken")
    try report.require(session.isActive, "it speaks without a session")
    try navigator.end()
    try report.require(!session.isActive && !navigator.isSounding, "it stays active after its prompt")
    report.fact("active while a prompt is spoken, and no longer")

    session.simulateOtherAudio(.primary)
    try report.require(try navigator.begin() == .short, "it should say little beside music")
    try report.require(!session.simulateInterruption(.otherProgram), "it mixes, and was interrupted all the same")
    session.simulateInterruptionEnd(.otherProgram)
    report.fact("says little beside music, and is not interrupted by it")

    try report.require(session.simulateInterruption(.call) && !navigator.isSounding, "it talks into a call")
    try report.require(try navigator.begin() == .none, "it begins to talk during a call")
    session.simulateInterruptionEnd(.call)
    try report.require(navigator.dropped == 1 && !navigator.isSounding, "it goes on with a prompt that is late")
    report.fact("a call drops the prompt, and none is begun until it is over")
    session.simulateOtherAudio(.none)
    try report.require(try navigator.begin() == .normal, "no prompt after the call")
    try navigator.end()
}
