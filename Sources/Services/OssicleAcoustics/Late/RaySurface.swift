import OssicleCore

/// What a surface does with a ray, ready to be multiplied: how much continues, and how it is shared out between three
/// continuations.
///
/// Lanes 0…9 are the octave bands. Lane 10 holds the probabilities of the *scouts*, see `BandImportance`.
struct RaySurface: BitwiseCopyable, Sendable {
    /// Share of the energy that continues, reflected or transmitted.
    let kept: SIMD16<Float>
    /// Share of the energy that is reflected diffusely.
    let scattered: SIMD16<Float>
    /// Shares of `kept`; they add up to 1 in lanes 0…10.
    let diffuse: SIMD16<Float>
    let specular: SIMD16<Float>
    let transmitted: SIMD16<Float>
    /// How often next-event estimates are made, 0.25…1: where little is scattered they would cost more than they tell.
    /// 0 where nothing is.
    let estimating: Float
    /// Of what is reflected specularly; nil where it is the same at all angles.
    let reaction: LocalReaction?
    /// Whether there is one: the answer is at hand without the whole of it.
    let isReacting: Bool

    /// What passes counts from −30 dB in the loudest band: below it drowns in what comes by other paths. Where nothing
    /// does, it counts from −80 dB.
    static let leastPassed: (beside: Float, alone: Float) = (1e-3, 1e-8)
    /// How often a scout passes where it can.
    static let scoutPassing: Float = 0.25
    static let scout = 10

    /// - Parameter leastPassed: of the energy, in the loudest band: what passes less passes nothing.
    init(
        reflected: OctaveBands, scattering: OctaveBands, transmitted: OctaveBands,
        leastPassed: Float = RaySurface.leastPassed.beside, reaction: LocalReaction? = nil
    ) {
        (self.reaction, isReacting) = (reaction, reaction != nil)
        let passes = transmitted.lanes.max() >= leastPassed
        let through = passes ? transmitted.lanes : .zero
        kept = reflected.lanes + through
        scattered = reflected.lanes * scattering.lanes
        var (diffuse, specular, transmitted) = (OctaveBands.ones.lanes, SIMD16<Float>.zero, SIMD16<Float>.zero)
        for band in 0..<OctaveBands.count where kept[band] > 0 {
            diffuse[band] = scattered[band] / kept[band]
            transmitted[band] = through[band] / kept[band]
            specular[band] = max(1 - diffuse[band] - transmitted[band], 0)
        }
        estimating = scattered.max() > 0 ? min(max(4 * diffuse.max(), 0.25), 1) : 0
        let stay = passes ? 1 - RaySurface.scoutPassing : 1
        let reflectedProbability = diffuse[BandImportance.middle] + specular[BandImportance.middle]
        diffuse[RaySurface.scout] =
            reflectedProbability > 0 ? stay * diffuse[BandImportance.middle] / reflectedProbability : stay
        specular[RaySurface.scout] =
            reflectedProbability > 0 ? stay * specular[BandImportance.middle] / reflectedProbability : 0
        transmitted[RaySurface.scout] = 1 - stay
        (self.diffuse, self.specular, self.transmitted) = (diffuse, specular, transmitted)
    }
}

/// The surfaces of a scene, by occluder and element, laid out for rays.
final class RaySurfaces: @unchecked Sendable {
    /// Written in `init` only, which is what makes sharing them safe.
    private let surfaces: UnsafeMutablePointer<RaySurface>
    private let first: UnsafeMutablePointer<Int>
    /// Whether any of them lets sound through.
    let passes: Bool

    init(_ scene: AcousticScene, leastPassed: Float = RaySurface.leastPassed.beside) {
        let count = scene.occluders.reduce(0) { $0 + $1.materials.count }
        surfaces = .allocate(capacity: max(count, 1))
        first = .allocate(capacity: max(scene.occluders.count, 1))
        var filled = 0
        var passes = false
        for (index, occluder) in scene.occluders.enumerated() {
            (first + index).initialize(to: filled)
            let solid = scene.placed.solids[index]
            for element in occluder.materials.indices {
                let surface = RaySurface(
                    reflected: solid.reflected[element], scattering: solid.scattered[element],
                    transmitted: solid.transmitted[element], leastPassed: leastPassed,
                    reaction: solid.reactions[element])
                passes = passes || surface.transmitted[RaySurface.scout] > 0
                (surfaces + filled).initialize(to: surface)
                filled += 1
            }
        }
        self.passes = passes
    }

    deinit {
        surfaces.deallocate()
        first.deallocate()
    }

    /// For inner loops: no reference to count. Valid as long as the surfaces live.
    var view: View { View(surfaces: UnsafePointer(surfaces), first: UnsafePointer(first)) }

    struct View: BitwiseCopyable, @unchecked Sendable {
        fileprivate let surfaces: UnsafePointer<RaySurface>
        fileprivate let first: UnsafePointer<Int>

        @inline(__always)
        func surface(of hit: Hit) -> UnsafePointer<RaySurface> {
            surfaces + (first[Int(hit.occluder)] + Int(hit.element))
        }
    }
}

/// Which closed pieces of a scene are rooms, because a source or the listener is inside, and which are solid.
///
/// A wall is often a box with two faces that cost its loss once. A ray that passes the first is inside until it meets
/// the same piece again, and leaves for nothing. A piece somebody sounds in is a room, and its inside reflects.
struct HollowPieces: Sendable {
    struct Piece: Hashable, Sendable, BitwiseCopyable {
        let occluder: Int32
        let piece: Int32
    }

    private let rooms: Set<Piece>

    /// A place is inside where a way out of the scene crosses a piece an odd number of times.
    init<Tracer: RayTracer>(around places: [Vector], tracer: Tracer) {
        var rooms: Set<Piece> = []
        var crossings: [Crossing] = []
        let box = tracer.scene.bounds
        for place in places where !box.isEmpty && place.isFinite {
            // Out along no axis, so that no wall is met edge on.
            let escape = Vector(0.613, 0.347, 0.710) * tracer.scene.span(from: place)
            tracer.findCrossings(from: place, to: place + escape, into: &crossings)
            var around: Set<Piece> = []
            for crossing in crossings where crossing.isClosed {
                around.formSymmetricDifference([Piece(occluder: crossing.occluder, piece: crossing.piece)])
            }
            rooms.formUnion(around)
        }
        self.rooms = rooms
    }

    /// The solid a ray is inside of after it has passed a surface; nil behind an open surface and on the way in or out
    /// of a room.
    func solid(entered hit: Hit, in scene: AcousticScene) -> Piece? {
        guard let piece = piece(of: hit, in: scene), !rooms.contains(piece) else { return nil }
        return piece
    }

    /// The closed piece a surface belongs to.
    func piece(of hit: Hit, in scene: AcousticScene) -> Piece? {
        let geometry = scene.occluders[Int(hit.occluder)].geometry
        let piece = geometry.pieceOfTriangle[Int(hit.triangle)]
        return piece >= 0 && geometry.pieces[Int(piece)].isClosed ? Piece(occluder: hit.occluder, piece: piece) : nil
    }
}
