import Driver
import OssicleFiles
import OssicleInstruments
import OssicleRender

/// The input is a bank of sounds, SoundFont or DLS: read, and some notes of its programs played.
@main
enum FuzzInstruments {
    static func main() {
        fuzz { bytes, count in
            FuzzInstruments.read(Array(UnsafeBufferPointer(start: bytes, count: count)))
            return 0
        }
    }

    private static func read(_ bytes: [UInt8]) {
        guard let instrument = try? InstrumentFile.bank(MemoryBytes(bytes, name: "fuzz")) else { return }
        var left = [Float](repeating: 0, count: 512), right = left
        for program in instrument.table.programList.prefix(4) {
            var synthesiser = Synthesiser(sampleRate: 48_000)
            synthesiser.take(instrument.table.view)
            synthesiser.choose(bank: Int(program.bank), program: program.number)
            for key in stride(from: UInt8(0), through: 127, by: 31) {
                for message in [[0x90, key, 100], [0xE0, key, key], [0x80, key, 0]] as [[UInt8]] {
                    message.withUnsafeBytes { synthesiser.take($0) }
                    synthesiser.render(512, left: &left, right: &right)
                    precondition(left.allSatisfy(\.isFinite) && right.allSatisfy(\.isFinite))
                }
            }
        }
    }
}
