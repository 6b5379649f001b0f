import OssicleChannels
import OssicleDevices
import OssicleTestSupport
import PHASE
import Testing

@testable import OssiclePHASE

/// What PHASE renders for at devices of any loudspeakers, which the test drives.
@Suite struct DeviceLayoutTests {
    private func started(
        _ mode: PHASESpatializationMode = .automatic, at device: DrivenOutput, build: (Stage) throws -> Void = { _ in }
    ) throws -> Stage {
        let stage = try Stage(updateMode: .manual, mode: mode)
        stage.engine.disableManualRenderingMode()
        try build(stage)
        try DeviceSubstitutes.$current.withValue(DeviceSubstitutes(output: device)) { try stage.engine.start() }
        return stage
    }

    /// The labels of what is rendered, in words of `ChannelOrder`; “ears” for binaural sound.
    private func rendered(_ stage: Stage) -> String {
        stage.engine.control.locked {
            guard let output = stage.engine.control.spatial.output else { return "nothing" }
            if case .binaural = output.spatializer { return "ears" }
            let layouts = Self.layouts.map(\.rendered)
            return layouts.first { ChannelOrder.labels(named: $0) == output.labels } ?? "\(output.labels)"
        }
    }

    private static let layouts: [(count: Int, stated: String?, rendered: String)] = [
        (2, nil, "L R"), (3, nil, "L R C"), (4, nil, "L R Ls Rs"), (5, nil, "L R C Ls Rs"),
        (6, nil, "L R C LFE Ls Rs"), (7, nil, "L R C Ls Rs Rls Rrs"), (8, nil, "L R C LFE Ls Rs Rls Rrs"),
        (12, nil, "L R C LFE Ls Rs Rls Rrs Vhl Vhr Ltr Rtr"), (3, "L R LFE", "L R LFE"),
        (4, "L R C LFE", "L R C LFE"), (8, "L R Rls Rrs C LFE Ls Rs", "L R C LFE Ls Rs Rls Rrs"),
        (7, "L R C LFE Cs Ls Rs", "L R C LFE Ls Rs Cs"),
        (10, "L R C LFE Ls Rs Vhl Vhr Tbl Tbr", "L R C LFE Ls Rs Vhl Vhr Ltr Rtr"),
        (12, "Vhl Vhr Tbl Tbr Rrs Rls Rs Ls LFE C R L", "L R C LFE Ls Rs Rls Rrs Vhl Vhr Ltr Rtr"),
    ]

    /// Each channel of a bed has a constant of its own.
    @Test(arguments: layouts)
    func `the layout is that which the device states, else the one its channels make`(
        count: Int, stated: String?, layout: String
    ) throws {
        let device = DrivenOutput(channelCount: count, stated: stated.map(ChannelOrder.labels(named:)))
        let bed = (1...count).map { number in [Float](repeating: Float(number) / 16, count: 480) }
        let stage = try started(.alwaysUseChannelBased, at: device) { stage in
            let layout = AVAudioChannelLayout.of(channelLabels: ChannelOrder.labels(named: layout))
            try stage.register("bed", bed, layout: layout)
            let mixer = PHASEChannelMixerDefinition(channelLayout: layout)
            try stage.event(stage.registerEvent("bed", into: mixer, loops: true)).start()
        }
        #expect(rendered(stage) == layout)
        for _ in 0..<4 {
            stage.engine.update()
            device.take(blocks: 1)
        }
        #expect(device.taken.map { $0.last } == bed.map { $0[0] })
        stage.engine.stop()
    }

    @Test(arguments: [
        (2, Transducer.unknown, PHASESpatializationMode.automatic, "ears"), (2, .headphones, .automatic, "ears"),
        (2, .builtInSpeakers, .automatic, "ears"), (2, .externalSpeakers, .automatic, "L R"),
        (2, .externalSpeakers, .alwaysUseBinaural, "ears"), (2, .headphones, .alwaysUseChannelBased, "L R"),
        (8, .unknown, .automatic, "L R C LFE Ls Rs Rls Rrs"),
        (8, .externalSpeakers, .automatic, "L R C LFE Ls Rs Rls Rrs"), (8, .headphones, .automatic, "ears"),
        (8, .headphones, .alwaysUseChannelBased, "L R"), (8, .externalSpeakers, .alwaysUseBinaural, "ears"),
        (10, .unknown, .automatic, "ears"), (10, .unknown, .alwaysUseChannelBased, "L R"),
    ])
    func `ears and loudspeakers by the mode and by what the sound comes out of`(
        channels: Int, transducer: Transducer, mode: PHASESpatializationMode, expected: String
    ) throws {
        let stage = try started(mode, at: DrivenOutput(channelCount: channels, transducer: transducer))
        #expect(rendered(stage) == expected)
        stage.engine.stop()
    }
}
