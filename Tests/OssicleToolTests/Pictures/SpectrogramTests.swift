import OssicleCore
import Testing
@testable import ossicle

@Suite("The spectrogram")
struct SpectrogramTests {
    /// The row of a frequency, counted from the top.
    private func row(_ frequency: Double, in picture: Spectrogram) -> Double {
        Double(picture.rows) * DeterministicMath.log10(frequency / picture.highest)
            / DeterministicMath.log10(Spectrogram.lowest / picture.highest)
    }

    private func brightest(_ picture: Spectrogram, _ column: Int) -> Int {
        (0..<picture.rows).max {
            picture.levels[$0 * picture.columns + column] < picture.levels[$1 * picture.columns + column]
        } ?? -1
    }

    @Test(
        "is brightest where the tone is, and as bright as the tone is loud",
        arguments: [(1000.0, 48_000.0), (440, 44_100), (3000, 16_000), (100, 8000)])
    func tone(frequency: Double, rate: Double) {
        let tone = Tones.sine(frequency, amplitude: 0.5, seconds: 1, rate: rate).map(Float.init)
        let picture = Spectrogram(of: [tone, tone], sampleRate: rate, rows: 200)
        let column = picture.columns / 2, found = brightest(picture, column)
        // A bin is 23 … 31 Hz wide; a row at 40 Hz less, so that the tone may fill some rows.
        #expect(abs(Double(found) + 0.5 - row(frequency, in: picture)) < max(1, 200 * 16 / frequency / 4))
        // Between bins a Hann window loses up to 1.4 dB.
        let level = picture.levels[found * picture.columns + column]
        #expect(level < -6.01 && level > -7.5)
        #expect(picture.top == 0)
    }

    @Test("shows when a sound is: a click in the middle column, silence elsewhere")
    func click() {
        var sound = [Float](repeating: 0, count: 48_000)
        sound[24_000] = 1
        let picture = Spectrogram(of: [sound], sampleRate: 48_000, rows: 50)
        let loudest =
            (0..<picture.columns).max {
                picture.levels[20 * picture.columns + $0] < picture.levels[20 * picture.columns + $1]
            } ?? 0
        #expect(abs(Double(loudest) + 0.5 - Double(picture.columns) / 2) <= 1)
        #expect(picture.levels[20 * picture.columns] < -150)
    }

    @Test("sounds that cancel in the sum of channels are still seen")
    func opposite() {
        let tone = Tones.sine(1000, seconds: 0.5).map(Float.init)
        let picture = Spectrogram(of: [tone, tone.map { -$0 }], sampleRate: 48_000, rows: 100)
        #expect(picture.levels[brightest(picture, picture.columns / 2) * picture.columns + picture.columns / 2] > -8)
    }

    @Test("a long sound makes no more columns than a short one, and keeps its place in time")
    func long() {
        let recorder = SpectrogramRecorder(channelCount: 1, sampleRate: 8000, frameCount: 8000, rows: 20)
        let silence = [Float](repeating: 0, count: 80_000),
            tone = Tones.sine(1000, seconds: 10, rate: 8000).map(Float.init)
        // Told of one second, it gets fifty; the tone is in the last ten.
        for second in 0..<5 { recorder.add([second == 4 ? tone : silence]) }
        let picture = recorder.finish()
        #expect(picture.columns <= 1600 && picture.columns > 700)
        let row = Int(row(1000, in: picture))
        let begin = (0..<picture.columns).first { picture.levels[row * picture.columns + $0] > -20 } ?? 0
        #expect(abs(Double(begin) / Double(picture.columns) - 0.8) < 0.005)
    }
}
