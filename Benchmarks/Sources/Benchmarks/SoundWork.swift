import Foundation

/// The works of the page, in its order.
enum SoundWork {
    static func all(_ effort: Effort, _ files: SoundFiles) -> [Work] {
        let seconds = effort.renderedSeconds
        return [
            voices(64, seconds), voices(256, seconds), voices(1024, seconds / 2), crowd(4000, seconds / 2),
            streams(66, seconds, files),
        ]
            + Conversion.works(files) + [
                timePitch(seconds, files),
                Work(title: "32 changes of speed and pitch") {
                    try EngineGraphs.timePitch((0..<32).map(change), seconds: seconds)
                },
                Work(title: "500 players in 10 mixers") { try EngineGraphs.players(500, seconds: 2 * seconds) },
                Work(title: "equaliser of 64 bands") { try EngineGraphs.equalizer(bands: 64, seconds: 8 * seconds) },
                Convolution.work(effort),
                hotAttach(among: 50), hotAttach(among: 550),
                lateReverb(seconds),
                Work(title: "demo, with a preset's room") { try DemoSpeed.measure("preset") },
                Work(title: "demo, in geometry mode") { try DemoSpeed.measure("geometry") },
                Work(
                    title: "a scene of 1,000 objects and 100,000 triangles loaded in a second",
                    run: SceneLoading.measure),
            ]
    }

    private static func voices(_ count: Int, _ seconds: Double) -> Work {
        Work(
            title: "\(count) moving binaural voices", voices: count,
            run: { try MovingVoices.measure(count: count, seconds: seconds) },
            rivals: [
                Work.Rival(name: "OpenAL Soft", packages: "Debian: libopenal-dev") {
                    OpenALVoices.measure(count: count, seconds: seconds)
                }
            ])
    }

    /// More than are rendered: 128 with an HRTF of their own, 384 in the bus, the others virtual.
    private static func crowd(_ count: Int, _ seconds: Double) -> Work {
        Work(title: "\(count) moving voices in tiers", voices: count) {
            try MovingVoices.measure(count: count, seconds: seconds)
        }
    }

    private static func streams(_ count: Int, _ seconds: Double, _ files: SoundFiles) -> Work {
        Work(title: "\(count) streamed MP3 sources with bodies and reverb", voices: count) {
            try StreamedBodies.measure(count: count, seconds: seconds, file: files.path("in.mp3"))
        }
    }

    private static func lateReverb(_ seconds: Double) -> Work {
        Work(
            title: "a voice with late reverb",
            run: { try MovingVoices.measureReverb(count: 1, seconds: 4 * seconds) },
            rivals: [
                Work.Rival(name: "OpenAL Soft, EAX reverb", packages: "Debian: libopenal-dev") {
                    OpenALVoices.measureReverb(count: 1, seconds: 4 * seconds)
                }
            ])
    }

    /// One of 32 different ones.
    static func change(_ index: Int) -> (rate: Float, pitch: Float) {
        (0.8 + 0.4 * Float(index) / 32, Float(index * 30 - 480))
    }

    /// A hundred of them a second would be real time.
    private static func hotAttach(among players: Int) -> Work {
        Work(title: "100 players started among \(players)") { 0.01 / (try EngineGraphs.hotAttach(among: players)) }
    }

    /// Stereo, a fifth slower and a third up, with each one's default windows.
    private static func timePitch(_ seconds: Double, _ files: SoundFiles) -> Work {
        Work(
            title: "one change of speed and pitch",
            run: { try EngineGraphs.timePitch([(rate: 0.8, pitch: 400)], seconds: 8 * seconds) },
            rivals: [
                Work.Rival(name: "rubberband R2", packages: "Debian: rubberband-cli") {
                    guard let program = Command.find("rubberband") else { return nil }
                    let (input, output) = (try files.path("in.wav"), try files.path("slow.wav"))
                    let arguments = ["-q", "-2", "-t", "1.25", "-p", "4", input, output]
                    return 1.25 * files.seconds / (try Command.seconds(program, arguments))
                }
            ])
    }
}
