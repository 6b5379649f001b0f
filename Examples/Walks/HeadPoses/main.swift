// Sound for an AR app that draws sixty pictures a second: where the phone is, times how the head is turned against it,
// is where the listener is. Once by hand, with the motion of the headphones, and once left to the engine, which follows
// the same head itself.
import Kit
import PHASE

/// Renders the outing past a radio that finds no station; `place` puts the listener where it is at the time of each
/// picture.
func render(
    in folder: SoundFolder, prepare: (Studio) -> Void = { _ in }, place: (PHASEListener, Int) throws -> Void
) throws -> Sound {
    let studio = try Studio(updateMode: .manual, blockFrames: 800)
    var state: UInt32 = 1
    let radio = Sound(seconds: 0.5) { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return 0.4 * (Double(state) / 4_294_967_296 - 0.5)
    }
    try studio.engine.assetRegistry.registerSoundAsset(
        url: folder.write(radio, as: "radio"), identifier: "radio", assetType: .resident,
        channelLayout: nil, normalizationMode: .dynamic)
    let mixer = try Studio.mixer()
    let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: "radio", mixerDefinition: mixer)
    sampler.playbackMode = .looping
    try studio.engine.assetRegistry.registerSoundEventAsset(rootNode: sampler, identifier: "radio event")
    let event = try studio.event("radio event", mixer, at: studio.source(at: Outing.radio))
    prepare(studio)
    try studio.engine.start()
    event.start(completion: nil)
    for picture in 0..<Int(Outing.seconds * Double(Outing.framesPerSecond)) {
        try place(studio.listener, picture)
        studio.engine.update()
        try studio.render()
    }
    try studio.finish()
    return studio.heard
}

perform("Head poses") {
    let folder = try SoundFolder("HeadPoses")
    let log = try MotionLog(in: folder)

    let headphones = Headphones()
    let byHand = try render(in: folder) { listener, picture in
        let (time, orientation) = log.poses[picture]
        headphones.supply(orientation, at: time)
        guard let head = headphones.pose else { throw Failure("the headphones say nothing at \(time) s") }
        listener.worldTransform = Outing.phone(at: time) * head
    }
    let followed = try render(in: folder) { studio in
        studio.engine.headTracking = PHASEHeadTracking(.recording(log.url))
        studio.listener.automaticHeadTrackingFlags = .orientation
    } place: { listener, picture in
        listener.worldTransform = Outing.phone(at: log.poses[picture].time)
    }

    print(
        "Head poses: \(try folder.write(byHand, as: "by hand").path), \(try folder.write(followed, as: "followed").path)"
    )
    /// How much louder the right ear is, and how far the two ways are apart, in tenths of a second.
    var (centred, turned, apart) = (0.0, Double.infinity, 0.0)
    for tenth in 2..<45 {
        let (start, end) = (Double(tenth) / 10, Double(tenth + 1) / 10)
        let (hand, engine) = (byHand.levels(from: start, to: end), followed.levels(from: start, to: end))
        apart = max(apart, abs(hand[0] - engine[0]), abs(hand[1] - engine[1]))
        if end <= 2.5 { centred = max(centred, abs(hand[1] - hand[0])) }
        if start >= 3.6 { turned = min(turned, hand[1] - hand[0]) }
    }
    print(
        "  ahead: the ears are \(String(format: "%.2f", centred)) dB apart; turned by 90°: the right ear is \(turned.short) dB louder"
    )
    print("  by hand and followed by the engine: \(String(format: "%.3f", apart)) dB apart at most")
    try require(byHand.level(from: 0.2, to: 4.5) > -60, "the radio is silent")
    try require(centred < 0.5, "straight ahead, the ears are \(centred) dB apart")
    try require(turned > 6, "after the head has turned left the right ear is only \(turned) dB louder")
    try require(apart < 0.2, "the two ways are \(apart) dB apart")
}
