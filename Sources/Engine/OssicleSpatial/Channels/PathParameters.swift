import OssicleAcoustics
import OssicleCore
import OssicleDSP
import OssicleRender

/// What a spatial mixer channel sends at an update, before a path leads it to the listener.
struct Emission {
    /// The source's directivity, and its pose when it sent what is received now.
    let source: Directivity
    let body: Pose
    /// The listener's directivity and head.
    let listener: Directivity
    let head: Pose
    /// The channel's gain without the pipeline's sends and without distance.
    let common: Double
    /// Sends of the pipeline; 0 for a part it does not have.
    let direct: Double
    let early: Double
    /// Metres between the centres, and the distance law's factor there.
    let distance: Double
    let distanceGain: Double
    /// The law's factor at any distance, in metres.
    let law: (Double) -> Double

    /// Amplitude of a reflection path of level 1.
    func reflectionGain(_ path: SoundPath) -> Double { earlyReference / max(path.length, DistanceLaw.nearest) }

    init(
        source: Directivity, listener: Directivity, path: ReceivedPath, common: Double, direct: Double, early: Double,
        distanceGain: Double, law: @escaping (Double) -> Double
    ) {
        self.source = source
        self.listener = listener
        self.common = common
        self.direct = direct
        self.early = early
        self.distanceGain = distanceGain
        self.law = law
        body = path.body
        head = path.head
        distance = path.direct.centreDistance
    }

    /// Amplitude × metres of early reflections: re the direct sound they have what their paths and walls leave,
    /// whatever distance law the mixer has.
    var earlyReference: Double { early * common * distanceGain * max(distance, DistanceLaw.nearest) }
}

/// The parameters of a mixer channel's paths besides the direct one: early reflections of the reverb preset's room, or
/// diffraction and reflections of the scene's geometry.
struct PathParameters {
    private let output: OutputStage
    private let paths: ScenePaths
    /// What absorbs sound along its path; nil without absorption.
    private let air: AirFilters?
    private let rampFrames: Int

    init(_ output: OutputStage, _ paths: ScenePaths, air: AirFilters?, rampFrames: Int) {
        self.output = output
        self.paths = paths
        self.air = air
        self.rampFrames = rampFrames
    }

    // MARK: Geometry

    /// A diffraction path takes the place of the direct one, and the mixer's distance law with it. Slots with a
    /// direction of their own that diffraction leaves free play the strongest reflections; the others are in the bus.
    /// What is beyond these makes them louder: no energy is lost.
    /// - Parameters:
    ///   - tier: in the bus, a channel's reflections are, too. - parameters: any of before, all of which is set anew in
    ///     its place, because they are large.
    func geometry(
        _ acoustics: SourceAcoustics, of emission: Emission, tier: VoiceTier, slots: inout ChannelPathSlots,
        to parameters: UnsafeMutablePointer<PathsRenderer.Parameters>
    ) {
        parameters.pointee.rampFrames = rampFrames
        let diffractions = emission.direct > 0 ? acoustics.diffractions : []
        let reflections = emission.early > 0 ? acoustics.reflections : []
        let free = tier == .full ? max(PathsRenderer.directLikeCount - diffractions.count, 0) : 0
        let (strongest, others) = slots.directLike.split(reflections, free)
        let isReflected = Set(strongest.map(\.identity))
        for (slot, path) in slots.directLike.assign(diffractions, before: strongest).enumerated() {
            guard let path else {
                parameters.pointee.directLike[slot].gain = 0
                parameters.pointee.directLike[slot].propagation.generation = slots.directLike[slot].generation
                continue
            }
            let received = receive(
                path, of: emission, in: &slots.directLike[slot], to: &parameters.pointee.directLike[slot].propagation)
            let gain =
                isReflected.contains(path.identity)
                ? emission.reflectionGain(path) : emission.common * emission.direct * emission.law(path.length)
            parameters.pointee.directLike[slot].direction = received.direction
            parameters.pointee.directLike[slot].gain = Float(gain * Double(received.level))
        }
        let reflected = slots.diffuse.assign(others)
        let makeUp = Self.makeUp(for: others, by: reflected)
        for (slot, path) in reflected.enumerated() {
            guard let path else {
                parameters.pointee.diffuse[slot].gains = .zero
                parameters.pointee.diffuse[slot].propagation.generation = slots.diffuse[slot].generation
                continue
            }
            let received = receive(
                path, of: emission, in: &slots.diffuse[slot], to: &parameters.pointee.diffuse[slot].propagation)
            let gain = emission.reflectionGain(path) * Double(received.level) * makeUp
            parameters.pointee.diffuse[slot].gains = FieldDirection.gains(received.direction) * Float(gain)
        }
    }

    /// By how much the reflections that are rendered are louder for those that are not.
    private static func makeUp(for paths: [SoundPath], by rendered: [SoundPath?]) -> Double {
        guard paths.count > rendered.count else { return 1 }
        let (all, played) = (
            paths.reduce(0) { $0 + $1.loudness }, rendered.reduce(0) { $0 + ($1?.loudness ?? 0) }
        )
        return played > 0 ? max(all / played, 1).squareRoot() : 1
    }

    /// Delay, colour, level and direction of a path. The colour is held within a tenth of a decibel, because solving
    /// for it takes microseconds.
    private func receive(
        _ path: SoundPath, of emission: Emission, in slot: inout PathSlots.Slot,
        to propagation: inout PathsRenderer.Propagation
    ) -> (level: Float, direction: SIMD3<Float>) {
        let arrival = emission.head.position + path.arrival
        var bands =
            path.bandGains
            * emission.source.gains(from: emission.body, towards: emission.body.position + path.departure)
            * emission.listener.gains(from: emission.head, towards: arrival)
        let absorbed = air?.filter(distance: path.length) ?? (AirFilters.clear, .ones)
        bands = bands * absorbed.rest
        let (level, colour) = bands.levelAndColour
        slot.equalizer.set(colour, air: absorbed.taps, tolerance: 0.01, output.equalizer)
        propagation.delay = paths.delay(of: path.length, besides: emission.distance)
        propagation.equalizer = slot.equalizer.design
        (propagation.equalizerVersion, propagation.generation) = (slot.equalizer.version, slot.generation)
        return (level, SIMD3<Float>(emission.head.toLocalUnscaled(arrival)))
    }

    // MARK: Preset

    /// Frames in which the reflections of a room fade that is gone.
    private static let fade = 4096
    private static let images = BoxRoom.indices(upTo: 2)

    /// Image sources of the reverb preset's box, which stands around the listener.
    func earlyReflections(of emission: Emission, leaps: UInt32) -> EarlyReflectionsRenderer.Parameters {
        guard let room = output.earlyRoom, emission.early * emission.common > 0 else {
            return .silent(leaps: leaps, rampFrames: max(rampFrames, Self.fade))
        }
        var parameters = EarlyReflectionsRenderer.Parameters(
            wall: room.design, wallVersion: room.version, leaps: leaps, rampFrames: rampFrames)
        let (head, source) = (emission.head, emission.body.position)
        let box = BoxRoom(around: head.position, source: source, size: room.size, wall: room.wall)
        for (index, reflections) in Self.images.enumerated() {
            let image = box.image(of: source, reflections)
            let path = image.position - head.position
            let distance = path.magnitude
            let delay = paths.delay(of: distance, besides: emission.distance)
            guard distance.isFinite, distance > 0, delay < EarlyReflectionsRenderer.longestTravel * output.sampleRate
            else { continue }
            let departure = emission.source.gains(from: emission.body, towards: source - image.mirrored(path))
            let arrival = emission.listener.gains(from: head, towards: image.position)
            // One filter serves all reflections of an order: directivity acts on them as at 1 kHz.
            let gain = emission.earlyReference / distance * Double(departure[5] * arrival[5])
            parameters.delays[index] = Float(delay)
            parameters.gains[index] =
                FieldDirection.gains(SIMD3<Float>(head.toLocalUnscaled(image.position))) * Float(gain)
        }
        return parameters
    }
}

/// The slots of a channel's `PathsRenderer`.
struct ChannelPathSlots {
    var directLike = PathSlots(count: PathsRenderer.directLikeCount)
    var diffuse = PathSlots(count: PathsRenderer.diffuseCount)
}

/// Which slot of a renderer plays which path.
///
/// A path keeps its slot for as long as it is among the loudest, so that it glides; the next path of a slot is
/// cross-faded to.
struct PathSlots {
    /// What a slot plays.
    struct Slot {
        /// nil for an empty slot.
        private(set) var identity: UInt64?
        /// Changes with the identity.
        private(set) var generation: UInt32 = 0
        var equalizer = SolvedEqualizer()

        fileprivate mutating func take(_ new: UInt64?) {
            guard new != identity else { return }
            identity = new
            generation &+= 1
        }
    }

    private var slots: [Slot]

    init(count: Int) { slots = Array(repeating: Slot(), count: count) }

    /// How much louder, as energy, a path has to be than one that has a slot to take it away.
    private static let bonus = 2.0

    subscript(slot: Int) -> Slot {
        get { slots[slot] }
        set { slots[slot] = newValue }
    }

    /// The loudest, up to `count`, and the others; those that have a slot come first among nearly equals.
    func split(_ paths: [SoundPath], _ count: Int) -> (loudest: [SoundPath], others: [SoundPath]) {
        if count == 0 { return ([], paths) }
        let ranked = ranked(paths)
        return (Array(ranked.prefix(count)), Array(ranked.dropFirst(count)))
    }

    /// Each once, the loudest first.
    private func ranked(_ paths: [SoundPath]) -> [SoundPath] {
        let held = Set(slots.compactMap(\.identity))
        var seen: Set<UInt64> = []
        return paths.filter { seen.insert($0.identity).inserted }.ranked {
            $0.loudness * (held.contains($0.identity) ? Self.bonus : 1)
        }
    }

    /// Gives slots to the loudest, and to `others` what they leave.
    /// - Returns: the path of each slot; nil for those that fall silent.
    mutating func assign(_ paths: [SoundPath], before others: [SoundPath] = []) -> [SoundPath?] {
        let loudest = ranked(paths).prefix(slots.count)
        let chosen = Array(loudest + others.prefix(slots.count - loudest.count))
        var places = Dictionary(uniqueKeysWithValues: chosen.enumerated().map { ($1.identity, $0) })
        var assigned = slots.map { slot in slot.identity.flatMap { places.removeValue(forKey: $0) } }
        var waiting = chosen.indices.filter { places[chosen[$0].identity] != nil }[...]
        for slot in slots.indices where assigned[slot] == nil { assigned[slot] = waiting.popFirst() }
        for slot in slots.indices { slots[slot].take(assigned[slot].map { chosen[$0].identity }) }
        return assigned.map { $0.map { chosen[$0] } }
    }
}
