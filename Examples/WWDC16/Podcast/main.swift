import AVFoundation
import Workbench

// A podcast: category .playback, mode .spokenAudio, handlers for interruptions and route changes.
Report.on("A podcast") { report in
    let session = AVAudioSession.sharedInstance()
    let headphones = AVAudioSession.simulatedPort(.headphones, name: "Headphones")
    let speaker = AVAudioSession.simulatedPort(.builtInSpeaker, name: "Speaker")
    session.simulateRoute(outputs: [headphones, speaker])

    let podcast = try PodcastPlayer()
    try podcast.play()
    try report.require(podcast.isPlaying && podcast.button == .pause, "it does not play")

    for (source, name) in [(AVAudioSessionSimulatedInterruption.prompt, "a prompt"), (.call, "a call")] {
        try report.require(session.simulateInterruption(source), "\(name) does not interrupt speech")
        try report.require(!podcast.isPlaying && podcast.button == .play, "it talks over \(name)")
        session.simulateInterruptionEnd(source, shouldResume: true)
        try report.require(podcast.isPlaying && podcast.button == .pause, "it does not go on after \(name)")
    }
    report.fact("a prompt and a call pause it, and it goes on by itself")

    session.simulateInterruption(.call)
    session.simulateInterruptionEnd(.call, shouldResume: false)
    try report.require(!podcast.isPlaying, "it goes on although it should not")
    try podcast.resume()
    report.fact("without .shouldResume it waits for its listener")

    session.simulateRoute(outputs: [speaker])
    try report.require(session.currentRoute.outputs == [speaker], "the route is another")
    try report.require(!podcast.isPlaying && podcast.button == .play, "pulled headphones do not pause it")
    report.fact("pulled headphones pause it")

    try podcast.resume()
    session.simulateRoute(outputs: [headphones, speaker])
    try report.require(podcast.isPlaying, "new headphones pause it")
    report.fact("new headphones do not")
    podcast.pause()
    try session.setActive(false, options: .notifyOthersOnDeactivation)
    session.endRouteSimulation()
}
