import OssicleCore

extension ReflectedWay {
    /// The surfaces it meets, the source's side first, 0 behind the last.
    func identities(in set: ReflectorSet) -> SIMD4<UInt64> {
        var result = SIMD4<UInt64>.zero
        for (mirror, corner) in corners.enumerated() { result[mirror] = set.faces[Int(corner.surface.face)].identity }
        return result
    }

    /// What the way does to the sound: Π √(ρ(1 − s)) over the surfaces, ρ the share of the energy that comes back and s the part of it that
    /// is scattered and belongs to the late sound, times what finite mirrors leave.
    /// - Parameter carriedAfter: metres the sound travels on from the end, by edges.
    func path(_ scene: AcousticScene, _ set: ReflectorSet, speedOfSound: Double, carriedAfter: Double = 0) -> SoundPath {
        var gains = OctaveBands.ones
        var identity: UInt64 = 0
        var departure = -arrival
        for mirror in (0..<order).reversed() {
            let normal = set.reflectors[Int(image.reflectors[mirror])].normal
            departure -= normal * (2 * normal.dot(departure))
        }
        for (mirror, corner) in corners.enumerated() {
            let face = set.faces[Int(corner.surface.face)]
            let solid = scene.placed.solids[Int(face.occluder)]
            let before = distance(toCorner: mirror)
            let element = Int(corner.surface.element)
            gains = gains * OctaveBands.mirror(reflected: solid.reflected[element], scattered: solid.scattered[element])
                * FresnelZone.gains(face.side(inFront: image.isInFront(mirror)), before: before, after: length - before + carriedAfter,
                                    cosine: corner.cosine, speedOfSound: speedOfSound)
            identity = SoundPath.identity(identity, then: face.identity)
        }
        return SoundPath(kind: .reflection(order: order), identity: identity, length: length, bandGains: gains, arrival: arrival,
                         departure: departure, corners: corners.map(\.place))
    }
}

extension OctaveBands {
    /// Amplitude factor of a specular reflection: √(reflected (1 − scattered)), both shares of energy.
    static func mirror(reflected: OctaveBands, scattered: OctaveBands) -> OctaveBands {
        OctaveBands(lanes: (reflected.lanes * (1 - scattered.lanes)).squareRoot())
    }
}
