import Foundation
import OssicleCore
import OssicleDSP
import OssicleTestSupport
import PHASE

/// Beds on a stage.
extension Stage {
    /// Starts a looping bed in an ambient mixer; `name` must be new.
    func startBed(
        _ name: String = "bed", _ channels: [[Float]], _ layout: AVAudioChannelLayout,
        turned: simd_quatf = simd_quatf(angle: 0, axis: simd_float3(0, 1, 0)),
        rate: Double? = nil
    ) throws {
        try register(name, channels, rate: rate, layout: layout)
        let mixer = PHASEAmbientMixerDefinition(channelLayout: layout, orientation: turned)
        try registerEvent(name, into: mixer, loops: true)
        let parameters = PHASEMixerParameters()
        parameters.addAmbientMixerParameters(identifier: mixer.identifier, listener: listener)
        try PHASESoundEvent(engine: engine, assetIdentifier: name + " event", mixerParameters: parameters).start(
            completion: nil)
    }

    func startBed(
        _ channels: [[Float]], _ tag: AudioChannelLayoutTag,
        turned: simd_quatf = simd_quatf(angle: 0, axis: simd_float3(0, 1, 0)),
        rate: Double? = nil
    ) throws {
        try startBed(
            "bed", channels, TestFailure.unwrap(AVAudioChannelLayout(layoutTag: tag)), turned: turned, rate: rate)
    }

    func register(_ name: String, _ channels: [[Float]], rate: Double? = nil, layout: AVAudioChannelLayout) throws {
        var data = Data()
        for channel in channels { channel.withUnsafeBytes { data.append(contentsOf: $0) } }
        try engine.assetRegistry.registerSoundAsset(
            data: data, identifier: name,
            format: AVAudioFormat(standardFormatWithSampleRate: rate ?? sampleRate, channelLayout: layout),
            normalizationMode: .none)
    }

    func turnHead(_ turn: simd_quatf) { listener.transform = simd_float4x4(turn) }
}

enum Bed {
    /// Silence but for one channel.
    static func only(_ channel: Int, of count: Int, _ sound: [Float]) -> [[Float]] {
        (0..<count).map { $0 == channel ? sound : [Float](repeating: 0, count: sound.count) }
    }

    /// A sound from one direction, as a sound field of an order in SN3D.
    static func wave(_ sound: [Float], from direction: Vector, order: Int = 3) -> [[Float]] {
        HighOrderHarmonics.values(direction, order: order).map { value in sound.map { $0 * Float(value) } }
    }

    /// Turns of the head about any axis.
    static func turns(_ count: Int) -> [simd_quatf] {
        let random = CounterRandom(seed: 11, object: 4)
        return (0..<count).map { index in
            let v = (0..<4).map { Float(random.unit(UInt64(4 * index + $0)) * 2 - 1) }
            return simd_quatf(angle: v[3] * .pi, axis: simd_normalize(simd_float3(v[0], v[1], v[2])))
        }
    }

    static func yaw(_ degrees: Double) -> simd_quatf {
        simd_quatf(angle: Float(degrees * .pi / 180), axis: simd_float3(0, 1, 0))
    }
}

/// Levels in dB of each output after each turn of the head: the turn settles for 6,144 frames, since ears have followed
/// after 120 ms, and is measured for 2,400. (Turns further apart than 4,096 frames are not one motion.)
func levels(_ stage: Stage, turns: [simd_quatf]) throws -> [[Double]] {
    try turns.map { turn in
        stage.turnHead(turn)
        let out = try stage.render(8544)
        return out.map { decibels(rms($0[6144...])) }
    }
}

/// Power in dB of all outputs together.
func power(_ levels: [Double]) -> Double { 10 * log10(levels.reduce(0) { $0 + pow(10, $1 / 10) }) }
