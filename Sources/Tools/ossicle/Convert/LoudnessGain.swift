import OssicleCore
import OssicleFiles

/// What brings a sound to a loudness without raising its true peak above −1 dBTP (EBU R 128).
struct LoudnessGain: Equatable {
    /// Integrated loudness before, and what was asked for, in LUFS.
    let measured, target: Double
    /// In dB.
    let gain: Double

    static let highestTruePeak = -1.0

    /// Linear.
    var factor: Double { Decibels.amplitude(gain) }

    /// Measures the sound in the form it will have, from beginning to end.
    init(of path: String, as form: OutputForm, to target: Double, _ progress: (Double) -> Void) throws {
        let sound = try ConvertedSound(path: path, as: form)
        guard let meter = LoudnessMeter(channelCount: form.channelCount, sampleRate: Double(form.sampleRate), labels: form.channelLabels, memory: .blocks) else {
            throw ToolError("\(path): the loudness of \(form.channelCount) channels at \(form.sampleRate) Hz cannot be measured: leave --loudness out.")
        }
        try sound.forEachBlock(of: form.channelCount, progress) { block, frames in meter.add(block.constPlanes, frames: frames) }
        self.init(measured: meter.integrated, truePeak: Decibels.of(amplitude: meter.truePeaks.max() ?? 0), target: target)
    }

    /// - Parameter truePeak: before, in dBTP.
    init(measured: Double, truePeak: Double, target: Double) {
        self.measured = measured
        self.target = target
        gain = measured.isFinite ? min(target - measured, LoudnessGain.highestTruePeak - truePeak) : 0
    }

    var words: String {
        func number(_ value: Double) -> String { Text.number(value, decimals: 1) }
        guard measured.isFinite else { return "loudness left alone: the sound is silent or shorter than 0.4 s" }
        let change = "loudness \(number(measured)) → \(number(measured + gain)) LUFS, gain \(number(gain)) dB"
        return gain < target - measured - 1e-9 ? "\(change), less than asked so that the true peak stays at \(number(LoudnessGain.highestTruePeak)) dBTP" : change
    }
}
