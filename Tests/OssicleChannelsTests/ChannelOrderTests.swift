import OssicleCoreAudioTypes
import Testing
@testable import OssicleChannels

/// Every order of a tag, with the tag.
let namedOrders: [(tag: AudioChannelLayoutTag, channels: String)] = ChannelOrder.orders.map { number, channels in
    (number << 16 | UInt32(channels.split(separator: " ").count), channels)
}

@Suite("Channel orders") struct ChannelOrderTests {
    @Test("Every order has as many channels as its tag tells, and every name is known")
    func counts() {
        #expect(namedOrders.count > 110 && namedOrders.map(\.tag) == orderedTags)
        for (tag, order) in namedOrders {
            let labels = ChannelOrder.labels(for: tag) ?? []
            #expect(labels.count == Int(AudioChannelLayoutTag_GetNumberOfChannels(tag)), "\(tag >> 16): \(order)")
            #expect(!labels.contains(kAudioChannelLabel_Unknown), "\(tag >> 16): \(order)")
        }
        #expect(Set(orderedTags).count == orderedTags.count)
        #expect(ChannelLabel.byShortName == namedLabels)
    }

    @Test("Labels lead back to a tag of the same channels")
    func roundTrip() {
        for (tag, _) in namedOrders {
            let labels = ChannelOrder.labels(for: tag) ?? []
            #expect(ChannelOrder.tag(for: labels).flatMap { ChannelOrder.labels(for: $0) } == labels)
        }
        for family in [
            kAudioChannelLayoutTag_DiscreteInOrder, kAudioChannelLayoutTag_HOA_ACN_SN3D,
            kAudioChannelLayoutTag_HOA_ACN_N3D,
        ] {
            #expect(ChannelOrder.tag(for: ChannelOrder.labels(for: family | 16) ?? []) == family | 16)
        }
        #expect(ChannelOrder.tag(for: []) == nil)
    }

    @Test("Tags without channels, unknown tags and Ambisonics of no whole order have no labels")
    func refusals() {
        for tag in [
            0, kAudioChannelLayoutTag_UseChannelBitmap, kAudioChannelLayoutTag_HOA_ACN_SN3D,
            kAudioChannelLayoutTag_HOA_ACN_SN3D | 5,
            (9999 << 16) | 2, .max,
        ] {
            #expect(ChannelOrder.labels(for: tag) == nil || tag == .max)
        }
    }

    @Test("A bitmap lists its channels in the order of its bits")
    func bitmap() {
        let surround: AudioChannelBitmap = [
            .bit_Left, .bit_Right, .bit_Center, .bit_LFEScreen, .bit_LeftSurround, .bit_RightSurround,
        ]
        #expect(surround.rawValue == 0x3F)
        #expect(
            ChannelOrder.tag(for: ChannelMask.labels(bitmap: surround.rawValue)) == kAudioChannelLayoutTag_MPEG_5_1_A)
    }
}

@Suite("Loudspeakers") struct SpeakerPositionTests {
    private func azimuths(_ tag: AudioChannelLayoutTag) -> [Double]? {
        SpeakerLayout.speakers(tag: tag)?.filter { !$0.isLFE }.map(\.azimuth)
    }
    private func elevations(_ tag: AudioChannelLayoutTag) -> [Double]? {
        SpeakerLayout.speakers(tag: tag)?.filter { !$0.isLFE }.map(\.elevation)
    }

    @Test("Rings of BS.775 and BS.2051 stand where the standards put them")
    func rings() {
        #expect(azimuths(kAudioChannelLayoutTag_Mono) == [0])
        #expect(azimuths(kAudioChannelLayoutTag_Stereo) == [30, -30])
        #expect(azimuths(kAudioChannelLayoutTag_Quadraphonic) == [45, -45, 135, -135])
        #expect(azimuths(kAudioChannelLayoutTag_MPEG_5_0_A) == [30, -30, 0, 110, -110])
        #expect(azimuths(kAudioChannelLayoutTag_MPEG_5_1_B) == [30, -30, 110, -110, 0])
        #expect(azimuths(kAudioChannelLayoutTag_WAVE_5_1_B) == [30, -30, 0, 110, -110])
        #expect(azimuths(kAudioChannelLayoutTag_MPEG_7_1_C) == [30, -30, 0, 90, -90, 135, -135])
        #expect(azimuths(kAudioChannelLayoutTag_Hexagonal) == [60, -60, 120, -120, 0, 180])
    }

    @Test("Heights stand above their ring")
    func heights() {
        #expect(azimuths(kAudioChannelLayoutTag_Atmos_7_1_4) == [30, -30, 0, 90, -90, 135, -135, 45, -45, 135, -135])
        #expect(elevations(kAudioChannelLayoutTag_Atmos_7_1_4) == [0, 0, 0, 0, 0, 0, 0, 30, 30, 30, 30])
        #expect(azimuths(kAudioChannelLayoutTag_Atmos_5_1_4) == [30, -30, 0, 110, -110, 30, -30, 110, -110])
        #expect(azimuths(kAudioChannelLayoutTag_Atmos_5_1_2) == [30, -30, 0, 110, -110, 90, -90])
        #expect(elevations(kAudioChannelLayoutTag_Atmos_9_1_6)?.filter { $0 == 30 }.count == 6)
    }

    @Test("Every layout is mirror-symmetric and knows its LFE")
    func symmetry() {
        for (tag, order) in namedOrders {
            guard let positions = SpeakerLayout.speakers(tag: tag), order != "C LFE" else { continue }
            let sum = positions.filter { !$0.isLFE && abs($0.azimuth) != 180 }.map(\.azimuth).reduce(0, +)
            #expect(abs(sum) < 1e-9, "\(order)")
            #expect(
                positions.filter(\.isLFE).count == order.split(separator: " ").filter { $0.hasPrefix("LFE") }.count,
                "\(order)")
        }
    }

    @Test("Channels that are no loudspeakers have no place")
    func noPlace() {
        for tag in [
            kAudioChannelLayoutTag_Binaural, kAudioChannelLayoutTag_HOA_ACN_SN3D | 4,
            kAudioChannelLayoutTag_DiscreteInOrder | 3,
            kAudioChannelLayoutTag_MidSide, kAudioChannelLayoutTag_TMH_10_2_full,
        ] {
            #expect(SpeakerLayout.speakers(tag: tag) == nil)
        }
        #expect(SpeakerLayout.speakers(labels: []) == nil)
    }
}
