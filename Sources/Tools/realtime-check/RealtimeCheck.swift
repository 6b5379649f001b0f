import COssicle
import Foundation
import OssiclePHASE
import OssicleCore
import OssicleRender

/// Runs the render path in every shape the engine has, for RealtimeSanitizer to watch. `Scripts/realtime-check` links
/// the sanitizer; without it this is a plain run. `--allocate` allocates where it must not, to prove that the watcher
/// is awake. `--devices` plays at the default devices, `--routes` while a sound server's default changes, `--soak
/// SECONDS` plays 32 voices there and counts what came too late. `--threads` has eight threads edit a scene, a graph of
/// nodes, and music while another renders it, and use a MIDI hub, for ThreadSanitizer to watch
/// (`Scripts/thread-check`); `--device-threads` has them edit both engines at the default devices; `--race` has two
/// count without asking, to prove that it is awake.
@main
enum RealtimeCheck {
    static func main() throws {
        ossicle_rtsan_ensure_initialized()
        if CommandLine.arguments.contains("--allocate") { return allocateOnPurpose() }
        if CommandLine.arguments.contains("--race") { return raceOnPurpose() }
        if CommandLine.arguments.contains("--devices") { return try checkDevices() }
        if CommandLine.arguments.contains("--routes") { return try checkRoutes() }
        if let index = CommandLine.arguments.firstIndex(of: "--soak"), index + 1 < CommandLine.arguments.count {
            return try Soak.run(seconds: Double(CommandLine.arguments[index + 1]) ?? 60)
        }
        if CommandLine.arguments.contains("--threads") { return try checkThreads() }
        if CommandLine.arguments.contains("--device-threads") { return try checkDeviceThreads() }
        for (name, channels, layout) in [("binaural", 2, nil), ("5.1", 6, kAudioChannelLayoutTag_MPEG_5_1_A)]
            as [(String, Int, AudioChannelLayoutTag?)]
        {
            let scene = try CheckScene(channels: channels, layout: layout)
            let seconds = try scene.run()
            print("\(name): \(seconds) s rendered in blocks of 1 to 1024 frames under watch")
            print("everything, \(name): \(try CheckEverything.run(scene.format)) s, the second half under watch")
        }
        let seconds = try CheckGraph().run()
        print("graph of nodes: \(seconds) s rendered, players coming and going, under watch")
        print(
            "client blocks: \(try CheckClientBlocks().run()) s of sources, input, sinks and hosted units, half under watch"
        )
        print("voice processing: \(try CheckVoice().run()) s of a call, muted and bypassed at times, half under watch")
        print("sequences: \(try CheckSequences().run()) s of loops, edits and jumps into units, half under watch")
        print("instruments: \(try CheckInstruments().run()) s of notes beyond all voices, half under watch")
        let units = try CheckUnits().run()
        print("units: \(units.plain) by their render blocks, with ramps and observers, under watch")
        print("units: \(units.converting) times with input in 16 bits or at another rate, under watch")
        print("units: \(try CheckUnits().runContract()) keep the host contract, all their render calls under watch")
        print("LV2 plug-ins: \(try CheckUnits().runPlugins()) in processes of their own, under watch")
        print(
            "workers: \(try CheckWorkers.run()) s on up to seven threads, the same bytes on each number, half under watch"
        )
        print("file: \(try CheckRecording().run()) s handed over for writing under watch")
    }

    private static func checkThreads() throws {
        let scene = try CheckEverything.run(threads: 8, seconds: 8)
        print("scene: \(scene.turns) edits by eight threads while \(scene.frames) frames were rendered")
        let graph = try CheckThreads.run(threads: 8, seconds: 8)
        print("graph: \(graph.turns) edits by eight threads while \(graph.frames) frames were rendered")
        let music = try CheckMusicThreads.run(threads: 8, seconds: 8)
        print("music: \(music.turns) edits by eight threads while \(music.frames) frames were rendered")
        let hub = try CheckHub.run(threads: 8, seconds: 4)
        print("MIDI hub: \(hub.turns) calls by eight threads, \(hub.calls) of their receivers")
    }

    private static func checkDeviceThreads() throws {
        let done = try CheckDeviceThreads.run(threads: 8, seconds: 8)
        print("devices: \(done.turns) edits by eight threads, \(done.messages) messages came back by MIDI")
    }

    private static func checkRoutes() throws {
        print("routes: \(try CheckRoutes.run(rounds: 3)) changes of the default sink followed, under watch")
    }

    private static func checkDevices() throws {
        print("graph at devices: \(try CheckDevices.graph()), under watch from the device's thread on")
        print("scene at a device: \(try CheckDevices.scene()), under watch from the device's thread on")
    }

    private static func allocateOnPurpose() {
        ossicle_rtsan_enter()
        var growing: [Int] = []
        for value in 0..<1000 { growing.append(value) }
        ossicle_rtsan_exit()
        print(growing.count)
    }

    /// Neither thread lets go of anything before both have counted: a last release would put them in order. The flags
    /// do not.
    private static func raceOnPurpose() {
        nonisolated(unsafe) let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        count.initialize(to: 0)
        let (hasCounted, mayEnd) = (SharedFlag(), SharedFlag())
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            count.pointee += 1
            hasCounted.isOn = true
            while !mayEnd.isOn { sched_yield() }
            isDone.signal()
        }
        while !hasCounted.isOn { sched_yield() }
        count.pointee += 1
        mayEnd.isOn = true
        isDone.wait()
        print(count.pointee)
        count.deallocate()
    }
}
