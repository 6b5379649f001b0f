// A walk through a park: nineteen birds along an alley of 60 m and a fountain at its end, twenty loops that are read
// from files while they play. Who is out of earshot sleeps; who comes near again sings on where it would be, had it
// never slept.
//
//          bird        bird        bird                        z = −60 m
//     gate ─────────────── 4 m/s, there and back ───────────────┤   ◉ fountain
//                bird        bird        bird
import Foundation
import Kit

perform("Sound park") {
    let folder = try SoundFolder("SoundPark")
    let park = try Park(in: folder)
    let engine = park.studio.engine
    let (fourth, song) = (park.birds[3], Song(bird: 3))
    let (bird, water) = (
        try Wiretap(fourth.event, fourth.mixer, of: engine),
        try Wiretap(park.fountain.event, park.fountain.mixer, of: engine)
    )

    try engine.start()
    var mostAwake = 0
    while park.studio.time < Stroll.seconds {
        let now = park.studio.time
        park.studio.listener.transform = Stroll.pose(at: now)
        try park.studio.render()
        guard Int(now * 4) < Int(park.studio.time * 4) else { continue }
        // Four times a second: does everybody sleep who is out of earshot, and nobody else?
        var awake = 0
        for loop in park.loops {
            let (sleeps, distance) = (loop.sleeps(in: engine), Stroll.distance(to: loop.place, at: now))
            if !sleeps { awake += 1 }
            guard abs(distance - loop.earshot) > 0.1 else { continue }
            try require(
                sleeps == (distance > loop.earshot),
                "at \(now.short) s the loop at \(loop.place) is \(sleeps ? "asleep" : "awake")")
        }
        mostAwake = max(mostAwake, awake)
    }
    let (streams, birdHeard, waterHeard) = (engine.streamStatistics, bird.heard, water.heard)
    try park.studio.finish()

    print("Sound park: \(try folder.write(park.studio.heard, as: "walk").path)")
    print(
        "  \(park.loops.count) loops, never more than \(mostAwake) awake; \(streams.framesRead) frames read, \(streams.starvedFrames) missing"
    )
    try require(mostAwake <= 9, "\(mostAwake) loops are awake at once; 9 are within earshot")
    try require(
        streams.framesRead > 0 && streams.starvedFrames == 0,
        "\(streams.starvedFrames) frames came too late of \(streams.framesRead)")

    // The fourth bird is passed on the way out, sleeps for twenty seconds, and is in step when one comes back.
    try require(birdHeard.level(from: 10, to: 22) < -190, "the fourth bird is heard from afar")
    for half in Array(4...9) + Array(53...60) {
        let time = 0.5 * Double(half) + 0.25
        let heard = song.note(in: birdHeard, at: time)
        try require(
            heard == Song.note(at: time),
            "at \(time) s the fourth bird sings note \(heard ?? -1) instead of \(Song.note(at: time))")
    }
    print("  the fourth bird slept from 6 to 25 s and sang on in step")

    // Straight ahead, coming nearer: the level rises by what the distance says.
    let levels = [(8.0, 32.0), (12, 16), (14, 8)].map { ($1, waterHeard.level(from: $0 - 0.25, to: $0 + 0.25)) }
    print("  the fountain: " + levels.map { "\($0.1.short) dB at \($0.0.short) m" }.joined(separator: ", "))
    for (distance, level) in levels {
        let expected = levels[0].1 + 20 * log10(levels[0].0 / distance)
        try require(
            abs(level - expected) < 1,
            "the fountain is at \(level.short) dB from \(distance) m instead of \(expected.short)")
    }
}
