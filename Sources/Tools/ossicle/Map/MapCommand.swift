import ArgumentParser
import OssicleAcoustics
import OssicleCore
import OssicleDSP
import OssicleResponses

/// A command of its own beside `rir`: it writes no response, and what shapes one (receivers, rates, lengths) means
/// nothing to a map.
struct MapCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "map",
        abstract: "Map the room-acoustic metrics of a scene over a grid of listeners.",
        discussion: """
            Listeners stand in the middles of the cells of a grid over the scene's floor plan, in places where --source is heard from the same air; \
            other cells stay empty. Each gets the metrics that ossicle rir gives of energies (ISO 3382-1, IEC 60268-16), and IACC of the response of \
            a KEMAR head. The picture shows one number of a place: means of 500 Hz and 1 kHz; of LF, LFC and LG of 125 Hz to 1 kHz; of IACC, which \
            is that of the first 80 ms, of 500 Hz to 2 kHz. Tables have all octaves. The same options give the same bytes on any number of threads.
            """)

    @OptionGroup var acoustics: AcousticOptions

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Where sound comes from, in metres.", valueName: "x,y,z"))
    var source: Place

    @Option(
        help: ArgumentHelp(
            "Cells along x and z, and the height of the ears above the scene's lowest point, 1.2 m without: 12,8 or 12,8,1.6.",
            valueName: "nx,nz,height"))
    var grid = GridSize(columns: 12, rows: 8, height: 1.2)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Degrees by which listeners are turned to the left, from looking along −z.", valueName: "degrees"))
    var yaw: Double?

    @Option(
        help: ArgumentHelp(
            "What is mapped, with commas: \(MapQuantity.allCases.map(\.rawValue).joined(separator: ", ")). All without; SPL needs --speech-level.",
            valueName: "names"))
    var only: MapQuantities?

    @OptionGroup var speech: SpeechOptions

    @Option(name: .shortAndLong, help: ArgumentHelp("Where to draw the maps.", valueName: "svg"))
    var output = "map.svg"

    @Option(help: ArgumentHelp("Write a line for each place into this file.", valueName: "csv"))
    var csv: String?

    @Option(help: ArgumentHelp("Write all numbers into this file.", valueName: "json"))
    var json: String?

    func validate() throws {
        try WorkOptions.check("--rays", acoustics.rays, in: 1...16_777_216)
        if let yaw, !yaw.isFinite { throw ValidationError("--yaw \(yaw) is no angle: give degrees.") }
        if only?.list.contains(.spl) == true, speech.conditions(.atOneMetre) == nil {
            throw ValidationError("SPL is that of speech: give --speech-level.")
        }
    }

    func run() throws {
        let files = try MapFiles(picture: output, csv: csv, json: json, overwrites: acoustics.work.overwrite)
        let (room, tracer) = try acoustics.open()
        let receivers = try ReceiverGrid(
            grid, over: room, tracer: tracer, source: source.vector, yaw: yaw, isLenient: acoustics.scene.lenient)
        let solver = try MapSolver(
            tracer: tracer, quality: acoustics.quality(else: Self.quality), seed: acoustics.seed,
            speech: speech.conditions(.atOneMetre),
            hearsBothEars: quantities.contains(.iacc), workers: acoustics.work.workers)
        let progress = Progress("mapping"), count = receivers.cells.count
        defer { progress.clear() }
        let cells = try receivers.cells.enumerated().map { index, cell in
            let found = try solver.result(from: source.vector, to: cell.listener, cell)
            progress.show(Double(index + 1) / Double(count), "(\(index + 1) of \(count) places)")
            return found
        }
        progress.clear()
        let map = AcousticMap(
            title: room.title, occluders: room.occluders, source: source.vector, grid: receivers, cells: cells,
            quantities: quantities, details: acoustics.details(else: Self.quality), speech: solver.speech)
        let hash = try files.write(map)
        print(map.report + "\n\nsha-256    \(hash)  \(output)")
    }

    private var quantities: [MapQuantity] {
        only?.list ?? MapQuantity.allCases.filter { $0 != .spl || speech.conditions(.atOneMetre) != nil }
    }

    private static let quality = AcousticQuality.Name.medium
}
