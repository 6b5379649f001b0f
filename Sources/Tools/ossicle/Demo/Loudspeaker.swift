import OssicleCore
import OssicleDevices

/// Plays a recording of the demo, and shows meanwhile what goes on in it.
enum Loudspeaker {
    /// Returns when it has been heard, with a line for the user; a machine without a sound device is no error.
    /// - Parameter device: as in `--device`; nil for the default.
    static func play(_ recording: Recording, in scene: DemoScene, on device: String?) throws -> String {
        do {
            let output = try Devices.output(
                device, FormatWishes(sampleRate: Double(recording.sampleRate), channelCount: 2))
            let (line, view) = (StatusLine(), WalkView(recording: recording, scene: scene))
            defer { line.clear() }
            try output.play(interleaved: zip(recording.left, recording.right).flatMap { [$0, $1] }) { seconds in
                line.show(view.line(at: seconds))
            }
            return "played on  \(output.name)"
        } catch let error as DeviceError where error.meansNoDevice && device == nil {
            return "not played  no output device (\(error.reason))"
        }
    }
}

/// The demo's scene in one line of text, seen from the south: where the voice is between the walls, and how loud.
struct WalkView {
    let recording: Recording
    let scene: DemoScene
    /// Characters from wall to wall.
    private static let width = 37

    /// "0:03 [·····@···V··|·····♪···] direct −23.1 dB  reverb −31.0 dB  voice 40 % visible": listener @, voice V,
    /// music ♪, the wall between the rooms.
    func line(at seconds: Double) -> String {
        guard let moment = recording.moments.last(where: { $0.time <= seconds }) ?? recording.moments.first else {
            return ""
        }
        let levels = [("direct", moment.directEnergy), ("reverb", moment.reverbEnergy)].map {
            "\($0) \(Text.right(Text.number(Decibels.of(energy: $1), decimals: 1), width: 5)) dB"
        }
        let voice = moment.paths.first
        let words = voice.map { $0.obstacles.isEmpty ? "\($0.source) free" : WalkView.words(of: $0) }
        return (["\(Text.clock(seconds)) [\(map(moment.voice))]"] + levels + [words ?? ""]).joined(separator: "  ")
    }

    private static func words(of path: PathState) -> String {
        "\(path.source) \(Text.number(path.visibleShare * 100, decimals: 0)) % visible, "
            + path.obstacles.map(\.name).joined(separator: ", ")
    }

    private func map(_ voice: Vector) -> String {
        var cells = [Character](repeating: "·", count: WalkView.width)
        // The partition stands at x = 0.
        let marks: [(x: Double, mark: Character)] = [
            (0, "|"), (scene.loop.x, "♪"), (scene.listener.x, "@"), (voice.x, "V"),
        ]
        for (x, mark) in marks { cells[column(x)] = mark }
        return String(cells)
    }

    private func column(_ x: Double) -> Int {
        let (low, high) = (scene.outline.low.x, scene.outline.high.x)
        let share = (x - low) / max(high - low, 1e-9)
        return min(max(Int(share * Double(WalkView.width)), 0), WalkView.width - 1)
    }
}
