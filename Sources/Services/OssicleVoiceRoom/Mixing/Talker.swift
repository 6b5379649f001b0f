import OssicleCodecs
import OssicleCore
import OssicleDSP

/// One talker: packets in, 20 ms of sound and two spectra out. One thread at a time.
final class Talker {
    private var buffer: JitterBuffer
    private let memory = SampleMemory(count: RoomBlock.packetFrames)
    private var spectra = TalkerSpectra()
    /// Mean square, smoothed.
    private var power: Float = 0
    private var quietPackets = Talker.hold
    private var lastGain: Float = 0
    private var isFirst = true
    /// Factor, 0 where muted; glides over a packet.
    var gain: Float = 1

    /// Packets for which a talker counts as speaking behind the last that was loud: 0.3 s.
    private static let hold = 15
    /// −50 dBFS.
    private static let loud: Float = 1e-5

    init(limits: ClosedRange<Double>, initial: Double) throws(CodecError) {
        buffer = try JitterBuffer(limits: limits, initial: initial)
    }

    var counts: VoiceRoom.PacketCounts { buffer.counts }
    var delay: Double { buffer.target }
    var level: Double { power > 1e-10 ? Decibels.of(energy: Double(power)) : -100 }
    var isSpeaking: Bool { quietPackets < Self.hold }

    func add(_ payload: [UInt8], timestamp: UInt32, at now: Double) {
        buffer.add(payload, timestamp: timestamp, at: now)
    }

    /// The packet that was read last.
    var frames: UnsafePointer<Float> { UnsafePointer(memory.pointer) }

    /// Whether there is anything in what `add` adds.
    var isSounding: Bool { spectra.isSounding }

    func add(_ block: Int, through filter: borrowing EarSpectra, to sums: borrowing EarSpectra) {
        spectra.add(block, through: filter, to: sums)
    }

    /// Reads the next packet's worth.
    func advance(at now: Double) {
        let count = RoomBlock.packetFrames
        let isThere = buffer.read(into: memory.pointer, count, at: now)
        var sum: Float = 0
        if isFirst { (lastGain, isFirst) = (gain, false) }
        let step = (gain - lastGain) / Float(count)
        for i in 0..<count {
            let sample = memory[i]
            sum += sample * sample
            memory[i] = sample * (lastGain + step * Float(i))
        }
        let isSilent = !isThere || (gain == 0 && lastGain == 0)
        lastGain = gain
        power += 0.2 * (sum / Float(count) - power)
        quietPackets = sum / Float(count) > Self.loud ? 0 : min(quietPackets + 1, Self.hold)
        spectra.take(memory.pointer, isSilent: isSilent)
    }
}
