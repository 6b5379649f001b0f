#if FFmpeg
// The settings of FFmpeg's AAC encoder.

import CFFmpeg
import OssicleChannels
import OssicleCore

enum FFmpegAACSettings {
    static let object = "aac encoder"
    static let sampleRates: [Double] = AACConfiguration.sampleRates.reversed()

    /// Bits per second for `channelCount` channels: 8000 a channel is where speech still passes, 6144 bits a channel
    /// and packet is the standard's limit.
    static func bitRates(sampleRate: Double, channelCount: Int) -> ClosedRange<Int> {
        8000 * channelCount...max(8000, Int(6 * sampleRate)) * channelCount
    }

    /// Checks what is asked for and returns how channels come and go.
    static func check(
        sampleRate: Double, channelCount: Int, channelLabels: [UInt32]?,
        settings: EncoderSettings
    ) throws(CodecError) -> CodecChannelOrder {
        guard sampleRates.contains(sampleRate) else {
            throw .rate(
                object, found: sampleRate,
                rule: "The rates of AAC are \(sampleRates.map { String(Int($0)) }.joined(separator: ", ")) Hz.")
        }
        guard let own = ChannelOrder.mpeg4(channelCount) else {
            throw .channels(object, found: channelCount, allowed: 1...8)
        }
        guard let order = CodecChannelOrder(channelLabels ?? own, codec: FFmpegChannels.encoderOrder(channelCount))
        else {
            throw .labels(object, found: channelLabels ?? [], allowed: own)
        }
        try settings.checkBitRate(object, bitRates(sampleRate: sampleRate, channelCount: channelCount))
        return order
    }

    /// The search with two loops is FFmpeg's own default. Its fast one breaks in loud steady tones: 1 kHz at 0.9 in
    /// both channels comes back 2.5 dB too low and 9 dB above its error, at any bit rate; with two loops 70 dB above
    /// it. A search that begins at the finest quality, 1, and not at the usual 120 finds it from the first packet on:
    /// otherwise a tone at 64 kbit/s a channel stands 7 dB above its error for two packets, and 30 ... 40 dB later.
    /// With this, tones, alone or many, keep 31 dB, a chord with noise 40 dB below 25 dB, pulses 21 dB and speech 26 dB
    /// at 128 kbit/s; 29 dB and more at 256 kbit/s. Less is left only of sounds with much noise, 15 dB of tones in
    /// noise 15 dB below, as the encoder substitutes it.
    ///
    /// Without that substitution a chord with a little noise comes down to 14 dB, without the sum and difference of
    /// channels pulses to 16 dB; shaping of the noise in time makes no difference. Intensity stereo is off: it gives up
    /// what is between the channels, and leaves 10 dB of a chord whose tones differ from channel to channel (48 kHz
    /// stereo, 128 kbit/s, FFmpeg 5.1).
    ///
    /// Bit rates are held on average through the standard's bit reservoir, whether constant or average is asked for. A
    /// variable one follows the quality, 0 ... 1, along the scale that FFmpeg's guide calls useful: 0.1 ... 2, in equal
    /// ratios.
    static func apply(
        _ settings: EncoderSettings, to context: UnsafeMutablePointer<AVCodecContext>, format: PacketFormat
    ) {
        context.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
        context.pointee.sample_rate = Int32(format.sampleRate)
        context.pointee.ch_layout = FFmpegChannels.encoderLayout(format.channelCount)
        context.pointee.flags |= AV_CODEC_FLAG_BITEXACT | Int32(AV_CODEC_FLAG_GLOBAL_HEADER)
        let range = bitRates(sampleRate: format.sampleRate, channelCount: format.channelCount)
        let usual = Int(1.5 * format.sampleRate) * format.channelCount
        context.pointee.bit_rate = Int64(
            settings.bitRate ?? min(max(usual, range.lowerBound), 64_000 * format.channelCount))
        context.pointee.global_quality = 1
        av_opt_set(context.pointee.priv_data, "aac_coder", "twoloop", 0)
        av_opt_set(context.pointee.priv_data, "aac_is", "0", 0)
        guard let quality = variableQuality(settings) else { return }
        context.pointee.flags |= Int32(AV_CODEC_FLAG_QSCALE)
        context.pointee.global_quality = Int32(Double(FF_QP2LAMBDA) * DeterministicMath.pow(20, quality) / 10)
    }

    /// The quality to aim at when the bit rate may vary; `nil` when it is to be held.
    private static func variableQuality(_ settings: EncoderSettings) -> Double? {
        switch settings.strategy {
        case .variable, .variableConstrained: settings.qualityInRange ?? 0.5
        case .constant, .longTermAverage: nil
        case nil: settings.bitRate == nil ? settings.qualityInRange : nil
        }
    }
}
#endif
