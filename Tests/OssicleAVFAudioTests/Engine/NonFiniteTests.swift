import Foundation
import OssicleCoreAudioTypes
import OssicleTestSupport
import Testing
@testable import OssicleAVFAudio

/// NaN and infinity end where they come in; every other sample keeps its bits.
@Suite struct NonFiniteTests {
    private let broken: [Float] = [0.5, .nan, 0.25, .infinity, -.infinity, 0.125, -0.0, .signalingNaN]
    private let whole: [Float] = [0.5, 0, 0.25, 0, 0, 0.125, -0.0, 0]

    private func texts(_ engine: AVAudioEngine) -> Diary {
        let diary = Diary()
        engine.errorHandler = { diary.note("\($0)") }
        return diary
    }

    @Test func `a scheduled buffer's are played as 0 and recorded once`() throws {
        let stage = try PlayerStage()
        let errors = texts(stage.engine)
        stage.player.scheduleBuffer(try stage.buffer(broken), at: nil, options: .loops)
        stage.player.play()
        #expect(Measure.sameBytes(try stage.render(16, cuts: [5]), whole + whole))
        #expect(
            errors.lines.count == 1
                && errors.lines.allSatisfy {
                    $0.contains("AVAudioPlayerNode") && $0.contains("NaN") && $0.contains("sample")
                })
        #expect(stage.player.queue.nonFiniteSamples == 8)
    }

    @Test func `behind them a mixer, a reverb, a varispeed and a distortion give numbers`() throws {
        for unit in [AVAudioUnitReverb(), AVAudioUnitVarispeed(), AVAudioUnitDistortion(), AVAudioUnitDelay()] {
            let rig = try OfflineRig()
            let player = AVAudioPlayerNode()
            for node in [player, unit] { rig.engine.attach(node) }
            rig.engine.connect(player, to: unit, format: rig.format)
            rig.engine.connect(unit, to: rig.engine.mainMixerNode, format: rig.format)
            player.scheduleBuffer(try pcm([broken, broken]))
            try rig.engine.start()
            player.play()
            #expect(try rig.render(2048).allSatisfy { Measure.isFinite($0) }, "\(unit)")
        }
    }

    @Test func `a file's are recorded once`() throws {
        let folder = try TemporaryFolder()
        let stage = try PlayerStage()
        let errors = texts(stage.engine)
        let url = try waveFile(folder, "broken.wav", [whole], rate: 48_000).url
        // Our own writer lets no such sample through: they are put in place of its samples.
        var bytes = try Data(contentsOf: url)
        let place = try #require(bytes.range(of: whole.withUnsafeBytes { Data($0) }))
        bytes.replaceSubrange(place, with: broken.withUnsafeBytes { Data($0) })
        try bytes.write(to: url)
        stage.player.scheduleFile(try AVAudioFile(forReading: url), at: nil)
        stage.player.play()
        #expect(Measure.sameBytes(try stage.render(8), whole))
        #expect(
            errors.lines.count == 1 && errors.lines.allSatisfy { $0.contains("broken.wav") && $0.contains("4 samples") }
        )
    }

    @Test func `a source node's block's are 0 and recorded once`() throws {
        let rig = try OfflineRig()
        let errors = texts(rig.engine)
        let source = OfflineRig.source { frame, _ in broken[frame % 8] }
        rig.engine.attach(source)
        rig.engine.connect(source, to: rig.engine.outputNode, format: rig.format)
        try rig.engine.start()
        #expect(Measure.sameBytes(try rig.render(512)[1], (0..<512).map { whole[$0 % 8] }))
        _ = try rig.render(512)
        #expect(
            errors.lines.count == 1
                && errors.lines.allSatisfy { $0.contains("AVAudioSourceNode") && $0.contains("512 samples") })
    }

    @Test func `manual input's are 0 and recorded once`() throws {
        let rig = try OfflineRig()
        let errors = texts(rig.engine)
        let buffer = try pcm([(0..<512).map { broken[$0 % 8] }, (0..<512).map { _ in Float(0.5) }])
        _ = rig.engine.inputNode.setManualRenderingInputPCMFormat(buffer.format) { _ in
            UnsafePointer(buffer.mutableAudioBufferList)
        }
        rig.engine.connect(rig.engine.inputNode, to: rig.engine.outputNode, format: rig.format)
        try rig.engine.start()
        let sound = try rig.render(512)
        #expect(Measure.sameBytes(sound[0], (0..<512).map { whole[$0 % 8] }) && sound[1].allSatisfy { $0 == 0.5 })
        _ = try rig.render(512)
        #expect(
            errors.lines.count == 1
                && errors.lines.allSatisfy { $0.contains("AVAudioInputNode") && $0.contains("256 samples") })
    }
}
