import AVFoundation
import Workbench

// Play and record: category .playAndRecord, mode .voiceChat, permission, preferred values, inputs to choose from.
Report.on("A talk over the network") { report in
    let session = AVAudioSession.sharedInstance()
    AVAudioApplication.requestRecordPermission { isGranted in print("  may record: \(isGranted)") }
    let microphone = AVAudioSession.simulatedPort(.builtInMic, name: "Microphone", channelCount: 1)
    let headset = AVAudioSession.simulatedPort(.bluetoothHFP, name: "Headset", channelCount: 1)
    let speaker = AVAudioSession.simulatedPort(.builtInSpeaker, name: "Speaker")
    session.simulateRoute(inputs: [microphone], outputs: [speaker])

    let talk = try Talk()
    try talk.begin()
    try report.require(talk.isSounding, "nothing is heard")
    try report.require(session.currentRoute.inputs == [microphone], "the microphone is not in use")
    try report.require(session.ioBufferDuration < 0.02, "blocks are \(session.ioBufferDuration) s long")
    report.fact("talks at \(Int(session.sampleRate)) Hz, preferred blocks of 5 ms")

    session.simulateRoute(inputs: [microphone, headset], outputs: [speaker])
    try session.setPreferredInput(headset)
    try report.require(session.currentRoute.inputs == [headset], "the headset is not in use")
    session.simulateRoute(inputs: [microphone], outputs: [speaker])
    try report.require(session.preferredInput == nil, "the headset is still preferred")
    try report.require(session.currentRoute.inputs == [microphone], "the microphone is not in use again")
    report.fact("routes: \(talk.routes.joined(separator: "; "))")
    try report.require(
        talk.routes == ["override from Microphone", "oldDeviceUnavailable from Headset"], "the routes are others")

    try AVAudioApplication.shared.setInputMuted(true)
    try report.require(AVAudioApplication.shared.isInputMuted, "the microphone is open")
    try AVAudioApplication.shared.setInputMuted(false)

    try report.require(session.simulateInterruption(.call) && talk.isOnHold, "a call does not put it on hold")
    session.simulateInterruptionEnd(.call, shouldResume: false)
    try report.require(talk.isSounding && !talk.isOnHold, "it stays on hold")
    report.fact("on hold during a call, and on again after it")

    session.simulateMediaServicesReset()
    try report.require(talk.rebuilds == 1 && talk.isSounding && session.isActive, "it does not survive the server")
    report.fact("a sound server that restarts does not end it")
    try talk.end()
    try report.require(!session.isActive && !talk.isSounding, "it does not end")
    session.endRouteSimulation()
}
