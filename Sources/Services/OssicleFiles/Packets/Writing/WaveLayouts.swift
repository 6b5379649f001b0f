// WAV, RF64 and W64 to be written.

import OssicleCodecs

/// WAV, or RF64 for more than 4 GB.
struct WaveLayout: FileLayout {
    let is64: Bool
    let hasTable = false

    func head(_ facts: WriterFacts) throws(AudioFileError) -> [UInt8] {
        guard let format = WaveFormat.body(facts.format) else {
            throw facts.unsupported(
                is64 ? .rf64 : .wav,
                rule:
                    "WAVE holds little-endian PCM, 8 bits unsigned and 16 to 32 signed, float, A-law, µ-law and IMA ADPCM, at whole rates."
            )
        }
        var chunks = ByteBuilder()
        if is64 {
            chunks.name("ds64")
            chunks.little(UInt32(28))
            chunks.zeros(28)
        }
        chunks.name("fmt ")
        chunks.little(UInt32(format.count))
        chunks.append(format)
        // Of what is not integers the standard wants the number of frames; the extensible form is new enough to do
        // without.
        if !facts.format.isIntegerPCM, format.count < 40 {
            chunks.name("fact")
            chunks.little(UInt32(4))
            chunks.little(UInt32(clamping: facts.validFrames))
        }
        chunks.append(InfoList.chunk(facts.metadata))
        let whole = Int64(chunks.count) + 12 + facts.byteCount + (facts.byteCount & 1)
        guard is64 || whole <= Int64(UInt32.max) - 1 else {
            throw AudioFileError(
                .tooLarge, path: facts.name, found: "\(whole) bytes", rule: "WAV ends at 4 GB.",
                cure: "Write RF64, W64 or CAF.")
        }
        var head = ByteBuilder()
        head.name(is64 ? "RF64" : "RIFF")
        head.little(is64 ? UInt32.max : UInt32(whole))
        head.name("WAVE")
        if is64 {
            var sizes = ByteBuilder()
            sizes.name("ds64")
            sizes.little(UInt32(28))
            for number in [whole, facts.byteCount, facts.frameCount] { sizes.little(number) }
            sizes.zeros(4)
            head.append(sizes.bytes + chunks.bytes[sizes.count...])
        } else {
            head.append(chunks.bytes)
        }
        head.name("data")
        head.little(is64 ? UInt32.max : UInt32(facts.byteCount))
        return head.bytes
    }

    func tail(_ facts: WriterFacts, audioOffset start: Int64) -> [UInt8] { facts.byteCount & 1 == 1 ? [0] : [] }
}

/// Sony Wave64.
struct Wave64Layout: FileLayout {
    let hasTable = false

    func head(_ facts: WriterFacts) throws(AudioFileError) -> [UInt8] {
        guard let format = WaveFormat.body(facts.format) else {
            throw facts.unsupported(.wave64, rule: "W64 holds what WAV holds.")
        }
        let padding = -format.count & 7
        let whole = Int64(40 + 24 + format.count + padding + 24) + facts.byteCount
        var head = ByteBuilder()
        head.name("riff")
        head.append(Wave64Dialect.riff)
        head.little(whole)
        head.name("wave")
        head.append(Wave64Dialect.name)
        head.name("fmt ")
        head.append(Wave64Dialect.name)
        head.little(Int64(24 + format.count))
        head.append(format)
        head.zeros(padding)
        head.name("data")
        head.append(Wave64Dialect.name)
        head.little(24 + facts.byteCount)
        return head.bytes
    }

    /// The last chunk is not padded: readers that go by the file's length would take the padding for sound.
    func tail(_ facts: WriterFacts, audioOffset start: Int64) -> [UInt8] { [] }
}
