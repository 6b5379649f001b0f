import OssicleCore
import OssicleDevices
import OssicleRendering

/// Plays a recording of the demo, and shows meanwhile what goes on in it.
enum Loudspeaker {
    /// Returns when it has been heard, with a line for the user; a machine without a sound device is no error.
    /// - Parameter device: as in `--device`; nil for the default.
    static func play(_ recording: Recording, in map: SceneMap, on device: String?) throws -> String {
        do {
            let output = try Devices.output(
                device, FormatWishes(sampleRate: Double(recording.sampleRate), channelCount: 2))
            let (line, view) = (StatusLine(), WalkView(recording: recording, map: map))
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

/// A scene in one line of text, seen from the south: where its sources are between the walls, and how loud.
struct WalkView {
    let recording: Recording
    let map: SceneMap
    /// Characters from wall to wall.
    private static let width = 37

    /// "0:03 [·····@···V··|·····♪···] direct −23.1 dB diffuse −31.0 dB voice 40 % visible": listener @, what moves V,
    /// what rests ♪, a wall between rooms |.
    func line(at seconds: Double) -> String {
        guard let moment = recording.moments.last(where: { $0.time <= seconds }) ?? recording.moments.first else {
            return ""
        }
        let levels = [("direct", moment.directPower), ("diffuse", moment.reverbPower)].map {
            "\($0) \(Text.right(Text.number(Decibels.of(energy: $1), decimals: 1), width: 5)) dB"
        }
        let walker = recording.sources.first, path = moment.paths.first { $0.source == walker }
        let words = path.map { $0.obstacles.isEmpty ? "\($0.source) free" : WalkView.words(of: $0) }
        return (["\(Text.clock(seconds)) [\(line(moment))]"] + levels + [words ?? ""]).joined(separator: "  ")
    }

    private static func words(of path: PathState) -> String {
        "\(path.source) \(Text.number(path.visibleShare * 100, decimals: 0)) % visible, "
            + path.obstacles.map(\.name).joined(separator: ", ")
    }

    private func line(_ moment: SceneMoment) -> String {
        var cells = [Character](repeating: "·", count: WalkView.width)
        for x in map.partitions { cells[column(x)] = "|" }
        for source in recording.sources.reversed() {
            if let place = moment.positions[source] { cells[column(place.x)] = recording.moves(source) ? "V" : "♪" }
        }
        let listener = column(map.listener.position.x)
        if cells[listener] != "V" { cells[listener] = "@" }
        return String(cells)
    }

    private func column(_ x: Double) -> Int {
        let share = (x - map.low.x) / max(map.high.x - map.low.x, 1e-9)
        return min(max(Int(share * Double(WalkView.width)), 0), WalkView.width - 1)
    }
}
