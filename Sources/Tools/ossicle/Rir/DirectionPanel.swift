import OssicleAcoustics
import OssicleCore
import OssicleResponses

/// Where energy comes from, seen from above and from the front: the direct sound, the first 80 ms after it, and the
/// rest.
struct DirectionPanel {
    let result: RirResult

    /// dB from the rim to the middle.
    private static let range = 30.0
    private static let early = 0.08
    /// Sectors of a full turn.
    private static let sectors = 36

    /// Energies by sector in one plane; sector 0 begins at the right, and they go on clockwise as the page shows them.
    private struct Rose {
        var early = [Double](repeating: 0, count: sectors)
        var late = [Double](repeating: 0, count: sectors)
        var direct = 0.0
        var directAngle = 0.0
    }

    func draw(on canvas: inout SVGCanvas, in frame: Frame) {
        canvas.text(
            "Energy by direction at the listener, 500 Hz to 2 kHz", x: frame.x, y: frame.y - 16, size: 14, bold: true)
        let views: [(String, (Vector) -> (x: Double, y: Double), [String])] = [
            ("from above", { ($0.x, $0.z) }, ["+x", "+z", "−x", "−z"]),
            ("from the front", { ($0.x, -$0.y) }, ["+x", "down", "−x", "up"]),
        ]
        let roses = views.map { rose($0.1) }
        let energies: [[Double]] = roses.flatMap { [$0.early, $0.late, [$0.direct]] }
        let top = energies.joined().max() ?? 1
        let radius = frame.height / 2 - 26
        let spacing = 2 * radius + 110
        for (index, view) in views.enumerated() {
            let x: Double = frame.x + radius + 60 + Double(index) * spacing
            let centre = (x: x, y: frame.y + radius + 26)
            draw(roses[index], top, name: view.0, marks: view.2, at: centre, radius: radius, on: &canvas)
        }
        legend(on: &canvas, x: frame.x + 2 * spacing + 60, y: frame.y + 70, top: top)
    }

    private func draw(
        _ rose: Rose, _ top: Double, name: String, marks: [String], at centre: (x: Double, y: Double),
        radius: Double,
        on canvas: inout SVGCanvas
    ) {
        func reach(_ energy: Double) -> Double {
            energy > 0 ? radius * min(max(1 + Decibels.of(energy: energy / top) / Self.range, 0), 1) : 0
        }
        func point(_ angle: Double, _ length: Double) -> (x: Double, y: Double) {
            let (sine, cosine) = DeterministicMath.sincos(angle)
            return (centre.x + cosine * length, centre.y + sine * length)
        }
        canvas.circle(x: centre.x, y: centre.y, radius: radius, fill: Ink.panel)
        /// One shape for neighbouring sectors, which would otherwise show their seams.
        func fill(_ sectors: Range<Int>, _ energies: [Double], ink: String) {
            let step = 2 * DeterministicMath.pi / Double(Self.sectors)
            let rim = sectors.flatMap { sector in
                (0...4).map { quarter in
                    let turn: Double = Double(sector) + Double(quarter) / 4
                    return point(turn * step, reach(energies[sector]))
                }
            }
            canvas.polygon([centre] + rim, fill: ink)
        }
        fill(0..<Self.sectors, rose.early, ink: Ink.early)
        fill(0..<Self.sectors, rose.late, ink: Ink.late)
        // Where the early part is the smaller, it lies above the late one.
        var first = 0
        for sector in 0...Self.sectors where sector == Self.sectors || rose.early[sector] >= rose.late[sector] {
            if first < sector { fill(first..<sector, rose.early, ink: Ink.early) }
            first = sector + 1
        }
        for ring in 1...3 {
            canvas.circle(x: centre.x, y: centre.y, radius: radius * Double(ring) / 3, fill: "none", stroke: Ink.grid)
        }
        if reach(rose.direct) > 0 {
            let end = point(rose.directAngle, reach(rose.direct))
            canvas.line([centre, end], stroke: Ink.direct, width: 3.5)
            canvas.circle(x: end.x, y: end.y, radius: 5, fill: Ink.direct, stroke: Ink.paper, width: 1.5)
        }
        for (quarter, mark) in marks.enumerated() {
            let place = point(Double(quarter) * DeterministicMath.pi / 2, radius + 16)
            canvas.text(mark, x: place.x, y: place.y + 4, size: 11, fill: Ink.faint, anchor: .middle)
        }
        canvas.text(name, x: centre.x - radius, y: centre.y - radius, size: 12, fill: Ink.text, anchor: .middle)
    }

    private func legend(on canvas: inout SVGCanvas, x: Double, y: Double, top: Double) {
        canvas.line([(x, y - 4), (x + 18, y - 4)], stroke: Ink.direct, width: 3.5)
        canvas.text("direct sound", x: x + 28, y: y, size: 12)
        for (row, entry) in [("in the 80 ms after it", Ink.early), ("later", Ink.late)].enumerated() {
            canvas.rectangle(Frame(x: x, y: y + 12 + 24 * Double(row), width: 18, height: 12), fill: entry.1)
            canvas.text(entry.0, x: x + 28, y: y + 22 + 24 * Double(row), size: 12)
        }
        let rim = Text.number(Decibels.of(energy: top), decimals: 1)
        canvas.text(
            "rim \(rim) dB re direct sound at 1 m, rings 10 dB apart", x: x, y: y + 78, size: 12, fill: Ink.faint)
        canvas.text(
            "speech transmission index \(Text.number(result.metrics.speechTransmission, decimals: 2))", x: x,
            y: y + 116, size: 12)
        let (t30, c80, d50) = (mid(result.metrics.t30), mid(result.metrics.c80), mid(result.metrics.d50))
        canvas.text("mean of 500 Hz and 1 kHz:", x: x, y: y + 140, size: 12)
        let means =
            "T30 \(Text.number(t30, decimals: 2)) s, C80 \(Text.number(c80, decimals: 1)) dB, D50 \(Text.number(d50 * 100, decimals: 0)) %, "
            + "G \(Text.number(mid(result.metrics.strength), decimals: 1)) dB"
        canvas.text(means, x: x, y: y + 160, size: 12)
    }

    private func mid(_ bands: OctaveBands) -> Double { Double(bands[4] + bands[5]) / 2 }

    private func rose(_ view: (Vector) -> (x: Double, y: Double)) -> Rose {
        var rose = Rose()
        guard let acoustics = result.acoustics.first else { return rose }
        func angle(_ direction: Vector) -> Double { DeterministicMath.atan2(view(direction).y, view(direction).x) }
        let direct = acoustics.direct
        let start = direct.centreDistance
        rose.direct =
            middle(direct.bandGains * direct.bandGains) / max(direct.effectiveDistance * direct.effectiveDistance, 1e-4)
        rose.directAngle = angle(direct.direction)
        let earlyWay = Self.early * 343.2 + start
        for path in acoustics.diffractions + acoustics.reflections {
            let sector = Self.sector(angle(path.arrival))
            if path.length < earlyWay {
                rose.early[sector] += path.loudness
            } else {
                rose.late[sector] += path.loudness
            }
        }
        addRays(to: &rose, view, until: earlyWay / 343.2)
        return rose
    }

    /// What rays found, octant by octant: each lies over a quarter of the page.
    private func addRays(to rose: inout Rose, _ view: (Vector) -> (x: Double, y: Double), until end: Double) {
        for (index, bin) in result.late.bins.enumerated() {
            let octants = result.late.octants[index]
            let all = (0..<8).reduce(Float(0)) { $0 + octants[$1] }
            guard all > 0 else { continue }
            let energy = middle(bin) / Double(all)
            let isEarly = Double(index) * result.late.binWidth < end
            for octant in 0..<8 where octants[octant] > 0 {
                let place = view(Vector(octant & 1 == 0 ? -1 : 1, octant & 2 == 0 ? -1 : 1, octant & 4 == 0 ? -1 : 1))
                let first =
                    Self.sector(DeterministicMath.atan2(place.y, place.x)) / (Self.sectors / 4) * (Self.sectors / 4)
                for sector in first..<first + Self.sectors / 4 {
                    let share = energy * Double(octants[octant]) / Double(Self.sectors / 4)
                    if isEarly { rose.early[sector] += share } else { rose.late[sector] += share }
                }
            }
        }
    }

    private static func sector(_ angle: Double) -> Int {
        let turn = (angle / (2 * DeterministicMath.pi) * Double(sectors)).rounded(.down)
        return (Int(turn) % sectors + sectors) % sectors
    }

    private func middle(_ bands: OctaveBands) -> Double { (4...6).reduce(0.0) { $0 + Double(bands[$1]) } / 3 }
}
