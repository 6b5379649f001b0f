import OssicleCore

/// Which closed pieces of a scene are rooms, because a source or the listener is inside, and which are solid.
///
/// A wall is often a box with two faces that cost its loss once. A ray that passes the first is inside until it meets the same piece
/// again, and leaves for nothing. A piece somebody sounds in is a room, and its inside reflects.
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
            let way = Vector(0.613, 0.347, 0.710) * tracer.scene.span(from: place)
            tracer.findCrossings(from: place, to: place + way, into: &crossings)
            var around: Set<Piece> = []
            for crossing in crossings where crossing.isClosed {
                around.formSymmetricDifference([Piece(occluder: crossing.occluder, piece: crossing.piece)])
            }
            rooms.formUnion(around)
        }
        self.rooms = rooms
    }

    /// The solid a ray is inside of after it has passed a surface; nil behind an open surface and on the way in or out of a room.
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
