import Foundation
import OssicleAVFAudio
import OssicleAudioToolbox
import OssicleCoreAudioTypes

/// Samplers and players of MIDI files.
let instrumentCases: [MisuseCase] = [
    MisuseCase("instruments: numbers that cannot be") {
        let graph = try OfflineGraph(), sampler = AVAudioUnitSampler()
        graph.engine.attach(sampler)
        try graph.engine.connectNode(sampler, to: graph.engine.mainMixerNode, format: graph.format)
        for number in Hostile.floats {
            (sampler.stereoPan, sampler.overallGain, sampler.globalTuning) = (number, number, number)
            sampler.masterGain = number
            sampler.startNote(.max, withVelocity: .max, onChannel: .max)
            sampler.sendProgramChange(.max, bankMSB: .max, bankLSB: .max, onChannel: .max)
            sampler.sendPitchBend(.max, onChannel: .max)
            sampler.sendMIDISysExEvent(Data([0xF0, 0x7F, 0x7F, 4, 1, 0xF7]))
            try graph.render(256)
        }
        try graph.expectUnchanged("hostile numbers for a sampler without an instrument")
    },
    MisuseCase("instruments: files that are none, and are not there") {
        let graph = try OfflineGraph(), sampler = AVAudioUnitSampler()
        graph.engine.attach(sampler)
        try graph.engine.connectNode(sampler, to: graph.engine.mainMixerNode, format: graph.format)
        let folder = FileManager.default.temporaryDirectory
        for url in [
            folder, folder.appendingPathComponent("gone.sf2"), URL(fileURLWithPath: "/dev/zero"),
            URL(fileURLWithPath: ""), URL(string: "https://example.org/a.sf2") ?? folder,
        ] {
            try expectThrown("a bank at \(url)") {
                try sampler.loadSoundBankInstrument(at: url, program: .max, bankMSB: .max, bankLSB: .max)
            }
            try expectThrown("an instrument at \(url)") { try sampler.loadInstrument(at: url) }
            try expectThrown("a sound at \(url)") { try sampler.loadAudioFiles(at: [url, url]) }
            try expectThrown("a preset at \(url)") { try sampler.loadPreset(at: url) }
            try expectThrown("music at \(url)") { _ = try AVMIDIPlayer(contentsOf: url, soundBankURL: url) }
            try expectThrown("music with a bank at \(url)") { _ = try AVMIDIPlayer(data: Data(), soundBankURL: url) }
        }
        sampler.auAudioUnit.fullState = [
            "ossicle-instrument": ["bank": "/gone", "bankNumber": Int.max, "program": Int.min] as [String: Any]
        ]
        sampler.auAudioUnit.fullState = ["ossicle-instrument": 7]
        try graph.render(256)
        try graph.expectUnchanged("files that are no instruments")
    },
]
