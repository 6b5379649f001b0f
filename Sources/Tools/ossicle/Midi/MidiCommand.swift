import ArgumentParser
import Foundation
import OssicleAVFAudio
import OssicleFiles

struct MidiCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "midi",
        abstract: "Render a MIDI file with the sounds of a SoundFont or DLS bank to a sound file.",
        usage: "ossicle midi [<options>] <in.mid> -o <out>",
        discussion: """
            ossicle midi song.mid -o song.flac plays the sixteen channels of General MIDI with the machine's bank of sounds: the file that \
            OSSICLE_SOUNDFONT names, or else the first of those that Debian's timgm6mb-soundfont and fluid-soundfont-gm bring. --soundfont names \
            another, .sf2, .sf3 or .dls. The ending of the output tells its format. Rendering follows no clock: the same options give the \
            same bytes.

            What the file sends to reverb and chorus is heard, as General MIDI 2 has it; --no-effects leaves it out.
            """)

    @Argument(help: ArgumentHelp("The MIDI file.", valueName: "in.mid"))
    var input: String

    @Option(name: .shortAndLong, help: ArgumentHelp("Where to write the sound.", valueName: "out"))
    var output: String

    @Option(help: ArgumentHelp("A bank of sounds: .sf2, .sf3 or .dls.", valueName: "file"))
    var soundfont: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Sample rate, 8000 to 192000 Hz.", valueName: "hertz"))
    var rate = 48_000

    @Option(parsing: .unconditional, help: ArgumentHelp("Louder or softer, -60 to 24 dB.", valueName: "dB"))
    var gain = 0.0

    @Option(
        parsing: .unconditional, help: ArgumentHelp("16 or 24 bits, where the format has a choice.", valueName: "bits"))
    var bits = 24

    @Option(help: ArgumentHelp("Who plays: ossicle or fluidsynth.", valueName: "name"))
    var synthesiser = MidiSynthesiser.ossicle

    @Flag(help: "Leave out reverb and chorus.")
    var noEffects = false

    @Flag(help: "Write for programs: a JSON object in place of the report.")
    var json = false

    @Flag(help: "Replace a file that exists.")
    var overwrite = false

    func validate() throws {
        guard (8000...192_000).contains(rate) else {
            throw ValidationError("--rate \(rate) is outside 8000 to 192000: give a rate in that range.")
        }
        guard (-60...24).contains(gain) else {
            throw ValidationError("--gain \(gain) is outside -60 to 24: give a number of dB in that range.")
        }
    }

    func run() throws {
        let target = try RecordingTarget(output, format: nil, bits: bits, overwrites: overwrite)
        let started = ContinuousClock.now
        let performance = try MidiPerformance(
            of: input, bank: soundfont, sampleRate: Double(rate), gain: gain, hasEffects: !noEffects,
            synthesiser: synthesiser)
        let unfinished = try UnfinishedFile(for: target.path)
        do {
            let writer = try target.writer(sampleRate: Double(rate), channelCount: 2, to: unfinished.path)
            let progress = Progress("rendering")
            defer { progress.clear() }
            try performance.render(to: writer) { progress.show($0) }
            try writer.finish()
            try unfinished.finish(overwriting: overwrite)
        } catch {
            unfinished.discard()
            throw unfinished.renamed(error)
        }
        let (format, elapsed) = (target.words(sampleRate: Double(rate), channelCount: 2), started.duration(to: .now))
        print(
            json
                ? try performance.json(format, output, elapsed)
                : performance.report(format, output, elapsed))
    }
}
