import Foundation

/// `Performance.md` and its chart.
struct PerformancePage {
    let results: [Work.Result]
    let effort: Effort

    /// Both replace what an earlier run wrote.
    func write(to folder: URL) throws {
        let pictures = folder.appendingPathComponent("Pictures")
        try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.appendingPathComponent("Performance.md"))
        let chart = CostChart(bars: bars).svg
        try Data(chart.utf8).write(to: pictures.appendingPathComponent("performance.svg"))
    }

    private var bars: [CostChart.Bar] {
        results.flatMap { result in
            result.beside.compactMap { rival in
                rival.cost.map { CostChart.Bar(title: result.title, rival: rival.name, cost: $0) }
            }
        }
    }

    private var text: String {
        """
        # Performance

        Written by `./bench`, which builds in release, installs the rivals and does the same work with ours and with theirs by
        turns, on one core: \(effort.rounds) rounds, \(Report.number(effort.renderedSeconds)) s of sound a round, files of \
        \(Int(effort.fileSeconds)) s. Numbers are medians, in brackets the least and the most. *Speed* is seconds of sound per
        second of processor time. *Cost* is our time over the rival's in the same round: below 1, ours is the cheaper. On a machine that
        does other work meanwhile, costs hold and speeds do not.

        \(Self.machine)

        ![Our cost beside each rival's](Pictures/performance.svg)

        ## Beside rivals

        | work | our speed | rival | its speed | our cost over its |
        |---|---|---|---|---|
        \(rows(of: results.filter { !$0.beside.isEmpty }))

        ## Alone

        | work | speed |
        |---|---|
        \(results.filter(\.beside.isEmpty).map { "| \($0.title) | \(words($0.speed)) |" }.joined(separator: "\n"))

        ## A voice among many

        | work | µs a voice and 1,024 frames |
        |---|---|
        \(results.compactMap { row in row.voiceCost.map { "| \(row.title) | \(Report.number($0)) |" } }.joined(separator: "\n"))

        """
    }

    private func rows(of results: [Work.Result]) -> String {
        results.flatMap { result in
            result.beside.map { rival in
                let cost = rival.cost.map(\.words) ?? "not measured (\(rival.packages))"
                return "| \(result.title) | \(words(result.speed)) | \(rival.name) | \(words(rival.speed)) | \(cost) |"
            }
        }.joined(separator: "\n")
    }

    private func words(_ spread: Spread?) -> String { spread?.words ?? "not measured" }

    /// Processor, system and day.
    private static var machine: String {
        let processors = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model = processors.split(separator: "\n").first { $0.hasPrefix("model name") }
        let name = model?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces) ?? "unknown processor"
        let day = Date().formatted(.iso8601.year().month().day())
        let information = ProcessInfo.processInfo
        return
            "\(name), \(information.activeProcessorCount) cores, \(information.operatingSystemVersionString), \(day)."
    }
}

/// Horizontal bars on a logarithmic scale around 1: to the left ours is the cheaper.
struct CostChart {
    struct Bar {
        let title, rival: String
        let cost: Spread
    }

    let bars: [Bar]
    /// Where the bars' area begins, its width, and the height of a row.
    private let left = 330.0, width = 420.0, step = 26.0, top = 44.0

    /// Costs from 1/8 to 8; beyond, held at the edge.
    private func x(_ cost: Double) -> Double { left + width * (log2(min(max(cost, 0.125), 8)) + 3) / 6 }

    var svg: String {
        let height = top + step * Double(bars.count) + 16
        let marks = [0.125, 0.25, 0.5, 1, 2, 4, 8].map { cost in
            """
            <line x1="\(x(cost))" x2="\(x(cost))" y1="\(top - 8)" y2="\(height - 12)" stroke="\(cost == 1 ? "#444" : "#ddd")"/>
            <text x="\(x(cost))" y="\(top - 14)" text-anchor="middle">\(Report.short(cost))</text>
            """
        }
        let rows = bars.enumerated().map { row(at: top + step * Double($0.offset), $0.element) }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(left + width + 40)" height="\(height)" \
            font-family="sans-serif" font-size="12" fill="#222">
            <rect width="100%" height="100%" fill="white"/>
            <text x="12" y="20" font-weight="bold">Our cost over the rival's</text>
            \((marks + rows).joined(separator: "\n"))
            </svg>

            """
    }

    private func row(at y: Double, _ bar: Bar) -> String {
        let (one, end) = (x(1), x(bar.cost.median))
        let middle = y + 9
        return """
            <text x="12" y="\(y + 13)">\(bar.title) / \(bar.rival)</text>
            <rect x="\(min(one, end))" y="\(y)" width="\(max((end - one).magnitude, 1))" height="18" \
            fill="\(bar.cost.median <= 1 ? "#3a9a5b" : "#c8603c")"/>
            <line x1="\(x(bar.cost.least))" x2="\(x(bar.cost.most))" y1="\(middle)" y2="\(middle)" stroke="#222"/>
            """
    }
}
