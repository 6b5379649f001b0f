import OssicleCodecs
import OssicleCore
import OssicleDSP

/// One listener: the spectra of all other talkers in, a packet of its binaural mix out. One thread at a time.
final class RoomListener {
    /// One talker as this listener hears it.
    private final class Ear {
        var now = EarSpectra()
        var next = EarSpectra()
        /// Of the filters in `now`; nil before the first.
        var direction: Vector?
        var gain: Float = 0
    }

    private let encoder: OpusVoiceEncoder
    private var design: EarFilterDesign
    private var late: LateRoom?
    private var limiter = Limiter(sampleRate: RoomBlock.sampleRate)
    private let fourier = RealFourierTransform(count: RoomBlock.transformCount)
    private let steady = EarSpectra()
    private let turning = EarSpectra()
    private let dry = SampleMemory(count: RoomBlock.packetFrames)
    /// N frames and what the transform writes behind them, for each of two.
    private let time = SampleMemory(count: 2 * RoomBlock.transformCount)
    private let mix = SampleMemory(count: 2 * RoomBlock.packetFrames)
    private let interleaved = SampleMemory(count: 2 * RoomBlock.packetFrames)
    private var ears: [VoiceRoom.Participant: Ear] = [:]

    /// Radians by which a direction has to change before its filters do: half a degree, and dB/20 of a gain.
    private static let (leastTurn, leastGain) = (0.0087, 1.01)
    /// Nearer than this, in metres, no talker gets louder.
    private static let nearest = 0.5

    init(_ settings: VoiceRoom.Settings, head: HRTFTable, lateFilters: LateFilters?) throws(CodecError) {
        encoder = try OpusVoiceEncoder(channelCount: 2, bitRate: settings.bitRate, complexity: settings.complexity)
        design = EarFilterDesign(head: head)
        if let lateFilters { late = LateRoom(settings, filters: lateFilters) }
    }

    func forget(_ talker: VoiceRoom.Participant) { ears[talker] = nil }

    /// - Parameter talkers: in a fixed order; the listener's own voice is not among them.
    func packet(
        _ talkers: [(id: VoiceRoom.Participant, talker: Talker, seat: VoiceRoom.Seat)], at seat: VoiceRoom.Seat
    )
        -> [UInt8]
    {
        for block in 0..<RoomBlock.perPacket {
            steady.clear()
            var turns = false
            for (id, talker, place) in talkers where talker.isSounding {
                let ear = ears[id] ?? Ear()
                ears[id] = ear
                if block == 0, aim(ear, at: seat.local(place.position)) {
                    if !turns { turning.clear() }
                    turns = true
                    // Steady is what was; what is new less what was comes in over the block.
                    talker.add(block, through: ear.now, to: steady)
                    talker.add(block, through: ear.next, to: turning)
                    subtract(talker, block, ear)
                    swap(&ear.now, &ear.next)
                } else {
                    talker.add(block, through: ear.now, to: steady)
                }
            }
            if block == 0 { feedRoom(talkers) }
            late?.add(block, to: steady)
            bringBack(block, turns: turns)
        }
        return encoded()
    }

    /// Makes the next filters where they are others.
    /// - Returns: whether they are to be blended in.
    private func aim(_ ear: Ear, at place: Vector) -> Bool {
        let distance = place.magnitude
        let gain = Float(1 / max(distance, Self.nearest))
        let direction = place.direction ?? Vector(0, 0, -1)
        if let known = ear.direction, (known - direction).magnitude < Self.leastTurn,
            max(ear.gain, gain) < min(ear.gain, gain) * Float(Self.leastGain)
        {
            return false
        }
        let isFirst = ear.direction == nil
        (ear.direction, ear.gain) = (direction, gain)
        if isFirst {
            design.make(direction, gain: gain, into: ear.now)
        } else {
            design.make(direction, gain: gain, into: ear.next)
        }
        return !isFirst
    }

    private let scratch = EarSpectra()

    private func subtract(_ talker: Talker, _ block: Int, _ ear: Ear) {
        scratch.clear()
        talker.add(block, through: ear.now, to: scratch)
        for row in 0..<4 {
            let (sum, part) = (turning[row], scratch[row])
            for k in 0..<RoomBlock.binCount { sum[k] -= part[k] }
        }
    }

    /// The room answers to all but the listener's own voice.
    private func feedRoom(_ talkers: [(id: VoiceRoom.Participant, talker: Talker, seat: VoiceRoom.Seat)]) {
        guard late != nil else { return }
        dry.clear()
        for (_, talker, _) in talkers {
            for i in 0..<RoomBlock.packetFrames { dry[i] += talker.frames[i] }
        }
        late?.take(UnsafePointer(dry.pointer))
    }

    private func bringBack(_ block: Int, turns: Bool) {
        let first = RoomBlock.transformCount - RoomBlock.frames
        let inside = time.pointer + first
        for ear in 0..<2 {
            let output = mix.pointer + ear * RoomBlock.packetFrames + block * RoomBlock.frames
            fourier.inverse(real: steady[2 * ear], imaginary: steady[2 * ear + 1], signal: time.pointer)
            output.update(from: inside, count: RoomBlock.frames)
            guard turns else { continue }
            fourier.inverse(real: turning[2 * ear], imaginary: turning[2 * ear + 1], signal: time.pointer)
            for i in 0..<RoomBlock.frames { output[i] += inside[i] * (Float(i + 1) / Float(RoomBlock.frames)) }
        }
    }

    private func encoded() -> [UInt8] {
        var planes = [mix.pointer, mix.pointer + RoomBlock.packetFrames]
        limiter.process(&planes, channelCount: 2, RoomBlock.packetFrames)
        for i in 0..<RoomBlock.packetFrames {
            interleaved[2 * i] = mix[i]
            interleaved[2 * i + 1] = mix[RoomBlock.packetFrames + i]
        }
        return encoder.encode(UnsafePointer(interleaved.pointer))
    }

    /// The mix that was encoded last: all of the left ear, then all of the right one.
    var lastMix: UnsafePointer<Float> { UnsafePointer(mix.pointer) }
}
