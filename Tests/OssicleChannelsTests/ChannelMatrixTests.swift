import OssicleChannels
import OssicleCoreAudioTypes
import Testing

@Suite("Channels into other layouts") struct ChannelMatrixTests {
    private func labels(_ tag: AudioChannelLayoutTag) -> [UInt32] {
        ChannelOrder.labels(for: tag) ?? []
    }

    /// Output by output.
    private func rows(_ from: AudioChannelLayoutTag, _ to: AudioChannelLayoutTag) -> [[Float]] {
        let (inputs, outputs) = (labels(from), labels(to))
        let gains = ChannelMatrix(from: inputs, to: outputs).gains
        return outputs.indices.map { Array(gains[($0 * inputs.count)..<(($0 + 1) * inputs.count)]) }
    }

    private let h: Float = 0.70710678

    private func expect(
        _ from: AudioChannelLayoutTag, _ to: AudioChannelLayoutTag, _ expected: [[Float]], _ name: Comment
    ) {
        let rows = rows(from, to)
        #expect(rows.count == expected.count, name)
        for (row, wanted) in zip(rows, expected) {
            #expect(zip(row, wanted).allSatisfy { abs($0 - $1) < 1e-6 } && row.count == wanted.count, name)
        }
    }

    @Test("BS.775 into stereo and mono")
    func recommendation() {
        expect(
            kAudioChannelLayoutTag_MPEG_5_1_A, kAudioChannelLayoutTag_Stereo,
            [[1, 0, h, 0, h, 0], [0, 1, h, 0, 0, h]], "5.1 to stereo")
        expect(
            kAudioChannelLayoutTag_MPEG_4_0_A, kAudioChannelLayoutTag_Stereo, [[1, 0, h, 0.5], [0, 1, h, 0.5]],
            "4.0 to stereo")
        expect(
            kAudioChannelLayoutTag_MPEG_7_1_C, kAudioChannelLayoutTag_Stereo,
            [[1, 0, h, 0, h, 0, h, 0], [0, 1, h, 0, 0, h, 0, h]], "7.1 to stereo")
        expect(kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_Mono, [[h, h]], "stereo to mono")
        expect(kAudioChannelLayoutTag_MPEG_5_1_A, kAudioChannelLayoutTag_Mono, [[h, h, 1, 0, 0.5, 0.5]], "5.1 to mono")
        expect(kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo, [[1], [1]], "mono to stereo")
    }

    @Test("surrounds and heights go to their neighbours")
    func neighbours() {
        expect(
            kAudioChannelLayoutTag_MPEG_7_1_C, kAudioChannelLayoutTag_MPEG_5_1_A,
            [
                [1, 0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0, 0],
                [0, 0, 0, 0, 1, 0, 1, 0], [0, 0, 0, 0, 0, 1, 0, 1],
            ], "7.1 to 5.1")
        expect(
            kAudioChannelLayoutTag_MPEG_5_1_A, kAudioChannelLayoutTag_Quadraphonic,
            [[1, 0, h, 0, 0, 0], [0, 1, h, 0, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]], "5.1 to quad")
        // L R C LFE Ls Rs Rls Rrs, then four heights: the front ones to the fronts, the rear ones to the rears.
        let folded = rows(kAudioChannelLayoutTag_Atmos_7_1_4, kAudioChannelLayoutTag_MPEG_7_1_C)
        #expect(folded[0][8] == 1 && folded[1][9] == 1 && folded[6][10] == 1 && folded[7][11] == 1)
        expect(
            kAudioChannelLayoutTag_WAVE_5_1_B, kAudioChannelLayoutTag_MPEG_5_1_A,
            (0..<6).map { row in (0..<6).map { $0 == row ? 1 : 0 } }, "rears called surrounds")
        expect(
            kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_MPEG_5_1_A, [[1], [1], [0], [0], [0], [0]],
            "mono to 5.1")
        expect(
            kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_MPEG_7_1_C,
            [[1, 0], [0, 1], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], "stereo to 7.1")
    }

    @Test("channels without a place go by number; ears are left and right; mid and side are sum and difference")
    func others() {
        expect(
            kAudioChannelLayoutTag_DiscreteInOrder | 3, kAudioChannelLayoutTag_Stereo, [[1, 0, 0], [0, 1, 0]],
            "discrete to stereo")
        expect(
            kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_DiscreteInOrder | 3, [[1, 0], [0, 1], [0, 0]],
            "stereo to discrete")
        expect(
            kAudioChannelLayoutTag_Unknown | 2, kAudioChannelLayoutTag_MPEG_5_1_A,
            [[1, 0], [0, 1], [0, 0], [0, 0], [0, 0], [0, 0]], "unknown to 5.1")
        expect(kAudioChannelLayoutTag_Binaural, kAudioChannelLayoutTag_Stereo, [[1, 0], [0, 1]], "binaural")
        expect(
            kAudioChannelLayoutTag_MPEG_5_1_A, kAudioChannelLayoutTag_StereoHeadphones,
            [[1, 0, h, 0, h, 0], [0, 1, h, 0, 0, h]], "5.1 to headphones")
        expect(kAudioChannelLayoutTag_MidSide, kAudioChannelLayoutTag_Stereo, [[1, 1], [1, -1]], "mid and side")
        expect(
            kAudioChannelLayoutTag_DiscreteInOrder | 4, kAudioChannelLayoutTag_Mono, [[0.5, 0.5, 0.5, 0.5]],
            "discrete to mono")
    }

    @Test("low frequencies go to an LFE or nowhere")
    func lowFrequencies() {
        // L R C LFE Ls Rs Vhl Vhr into L R LFE.
        #expect(rows(kAudioChannelLayoutTag_CICP_14, kAudioChannelLayoutTag_DVD_4)[2] == [0, 0, 0, 1, 0, 0, 0, 0])
        for (tag, order) in namedOrders {
            let channels = order.split(separator: " ")
            for row in rows(tag, kAudioChannelLayoutTag_Stereo) {
                for (channel, gain) in zip(channels, row) where channel.hasPrefix("LFE") { #expect(gain == 0) }
            }
        }
    }

    @Test("every loudspeaker of every layout is heard in every other, at 0 or −3 dB; the same layout passes as it is")
    func energies() {
        let outputs = [
            kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_Quadraphonic, kAudioChannelLayoutTag_MPEG_5_1_A,
            kAudioChannelLayoutTag_MPEG_7_1_C, kAudioChannelLayoutTag_Atmos_7_1_4,
        ]
        for (tag, order) in namedOrders {
            let inputs = labels(tag)
            let places = SpeakerLayout.speakers(ofEach: inputs)
            for output in outputs {
                let matrix = rows(tag, output)
                for channel in inputs.indices where places[channel].map({ !$0.isLFE }) ?? false {
                    let power = matrix.reduce(Float(0)) { $0 + $1[channel] * $1[channel] }
                    let expected: [Float] = inputs[channel] == kAudioChannelLabel_Mono ? [2] : [1, 0.5]
                    #expect(expected.contains { abs($0 - power) < 1e-5 }, "\(order), channel \(channel): \(power)")
                }
            }
            let same = rows(tag, tag)
            for row in same.indices {
                #expect(same[row].indices.allSatisfy { same[row][$0] == (row == $0 ? 1 : 0) }, "\(order)")
            }
        }
    }
}
