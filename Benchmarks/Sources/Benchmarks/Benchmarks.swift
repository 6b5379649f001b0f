import Foundation

/// Prints how fast the engine is on one core. Build in release; numbers of a debug build mean nothing.
@main
enum Benchmarks {
    private static let voices = 256

    static func main() throws {
        setenv("OSSICLE_THREADS", "1", 1)
        if !CommandLine.arguments.contains("acoustics") { try sound() }
        try acoustics()
    }

    /// What is in the scene, and what it does to sound; alone with the argument `acoustics`.
    private static func acoustics() throws {
        ReflectionSpeed.print()
        OcclusionSpeed.print()
        BoxRoomSpeed.print()
        PathSpeed.print()
        try GeometryVoices.print()
    }

    private static func sound() throws {
        print("demo                     \(number(try DemoSpeed.measure())) × real time, one core")
        let ours = try MovingVoices.measure(count: voices, seconds: 4)
        print(
            "moving binaural voices   \(voices) at \(number(ours)) × real time: \(Int(Double(voices) * ours)) in real time, one core"
        )
        if let rival = Rival.measure(count: voices, seconds: 4) {
            print(
                "  OpenAL Soft            \(voices) at \(number(rival)) × real time: ours is \(number(ours / rival)) × as fast"
            )
        } else {
            print("  OpenAL Soft            not measured (Debian: libopenal-dev)")
        }
        print(
            "sound events             \(Int(try SoundEvents.measure(perBlock: 5, blocks: 400))) started and played per second, one core"
        )
        print("500 players in 10 mixers \(number(try EngineGraphs.players(500, seconds: 4))) × real time, one core")
        print(
            "equaliser of 64 bands    \(number(try EngineGraphs.equalizer(bands: 64, seconds: 8))) × real time, one core"
        )
        print("32 changes of pitch      \(number(try EngineGraphs.timePitch(32, seconds: 2))) × real time, one core")
        for voices in [0, 64, 500] {
            print(
                "player started among \(voices)".padding(toLength: 25, withPad: " ", startingAt: 0)
                    + "\(number(1000 * (try EngineGraphs.hotAttach(among: voices)))) ms of processor time each")
        }
        try Conversion.print()
    }

    private static func number(_ value: Double) -> String { String(format: "%.2f", value) }
}
