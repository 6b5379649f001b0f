import AVFoundation
import Workbench

// A productivity program's sound: category .ambient, no handler for interruptions, quiet beside music.
Report.on("A list of tasks that chimes") { report in
    let session = AVAudioSession.sharedInstance()
    let tasks = try TaskList()
    try report.require(session.categoryOptions.isEmpty && session.category == .ambient, "the category is another")
    try report.require(try tasks.complete(), "no chime for the first task")
    report.fact("a task is done: it chimes, through \(session.currentRoute.outputs.count) output")

    session.simulateOtherAudio(.primary)
    try report.require(tasks.isQuiet, "music of others should keep it quiet")
    try report.require(try !tasks.complete(), "it chimes beside music")
    session.simulateOtherAudio(.none)
    try report.require(try tasks.complete(), "no chime after the music")
    report.fact("quiet beside music, and not any longer")

    try report.require(!session.simulateInterruption(.otherProgram), "a program that mixes was interrupted")
    session.simulateInterruptionEnd(.otherProgram)
    try report.require(session.simulateInterruption(.call), "a call did not interrupt")
    try report.require(!tasks.isSounding && !session.isActive, "it sounds during a call")
    session.simulateInterruptionEnd(.call)
    try report.require(try tasks.complete(), "no chime after the call")
    report.fact("a call silences it; the next task after that chimes again")
    try session.setActive(false)
}
