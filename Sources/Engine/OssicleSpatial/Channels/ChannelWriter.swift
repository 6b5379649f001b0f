import OssicleAcoustics
import OssicleCore
import OssicleDSP
import OssicleRender
import OssicleSoundEvents

/// Writes what a mixer channel's renderers play until the next update.
///
///     direct  mixer × source × listener × fade-out × send × distance × (obstacles · air · directivities)
///     late    mixer × source × listener × fade-out × send × √(share of the source in the late field)
package struct ChannelWriter {
    /// A mixer's source and listener.
    package enum Binding {
        case spatial(SceneSnapshot.Source, SceneSnapshot.Listener)
        case ambient(SceneSnapshot.Listener)
        case channel
    }

    private let output: OutputStage
    private let paths: ScenePaths
    private let rooms: RoomFields
    private let scene: SceneSnapshot
    /// Of what all channels have in common.
    private let conditions: UInt64
    /// What absorbs sound; nil where nothing does.
    private let air: Medium?
    private let airFilters: AirFilters?
    private let unitsPerMeter: Double
    private let position: Int64
    private let rampFrames: Int

    /// - Parameters:
    ///   - conditions: changes whenever the output, its early room or the scene's medium and units do.
    ///   - position: engine time of the update. - rampFrames: frames in which gains glide.
    init(
        _ output: OutputStage, _ paths: ScenePaths, rooms: RoomFields, scene: SceneSnapshot, conditions: UInt64,
        position: Int64, rampFrames: Int
    ) {
        self.scene = scene
        self.conditions = conditions
        self.output = output
        self.paths = paths
        self.rooms = rooms
        self.position = position
        self.rampFrames = rampFrames
        air = scene.absorbs ? scene.medium : nil
        airFilters = air.map(output.airFilters)
        unitsPerMeter = scene.unitsPerMeter
    }

    /// - Parameter event: evaluated.
    func write(_ channel: MixerChannel, _ binding: EventParts.Binding, _ event: EventInstance) {
        switch binding {
        case .spatial(let source, let listener):
            writeSpatial(channel, source, listener, channel.mix(event))
        case .ambient(let listener):
            let parameters = bed(channel, listener, gain: channel.mix(event).gain)
            switch channel.renderer {
            case .ambient(let box): box.control.write(parameters)
            case .ambisonic(let box): box.control.cell.write(parameters)
            case .spatial, .channels, .virtual: break
            }
        case .channel:
            guard case .channels(let box) = channel.renderer else { return }
            let gain = channel.mix(event).gain
            channel.level = ChannelLevel(mixer: gain)
            box.control.write(ChannelRenderer.Parameters(gain: Float(gain), rampFrames: rampFrames))
        }
    }

    /// Ambient mixers: the bed is fixed in the world, the head rotates in it.
    private func bed(
        _ channel: MixerChannel, _ number: UInt64, gain: Double
    ) -> AmbientRenderer.Parameters {
        let listener = scene.listener(number) ?? .gone(number)
        channel.level = ChannelLevel(mixer: gain, listener: listener.gain)
        var (loudness, frames) = (0.0, rampFrames)
        // Without a listener it fades where it is.
        if case .ambient(_, let bed) = channel.blueprint.kind, listener.isInScene {
            loudness = gain * listener.gain
            frames = channel.bed.step(
                BedMotion.Axes(of: bed, in: listener.head), at: position, rampFrames: rampFrames)
        }
        let axes = channel.bed.axes
        return AmbientRenderer.Parameters(
            gain: Float(loudness), right: axes.right, up: axes.up, back: axes.back, rampFrames: frames)
    }

    // MARK: Spatial mixers

    private func writeSpatial(_ channel: MixerChannel, _ source: UInt64, _ listener: UInt64, _ mix: ChannelMix) {
        let places = channel.places(of: source, listener, scene, paths)
        let inputs = ChannelInputs(
            mix: mix, source: places.source.map { scene.sources[$0].gain } ?? 1,
            listener: places.listener.map { scene.listeners[$0].gain } ?? 1,
            share: rooms.share(of: source, at: listener), hasPath: places.path != nil, conditions: conditions)
        // Without a path nothing moves.
        let restsSince = places.path.map(paths.restsSince) ?? .min
        guard channel.isDue(inputs, restsSince: restsSince, at: position) else { return }
        channel.level.set(mix, source: inputs.source, listener: inputs.listener)
        if let place = places.path {
            // A shape radiates from its whole surface; only a point has a front.
            let isPoint = places.source.map { scene.sources[$0].meshes.isEmpty } ?? true
            paths.withPath(place) { write(channel, $0, inputs, isPoint: isPoint) }
            channel.isAudible = channel.level.cull > 0
        } else {
            // Without a source or listener in the scene the voices are virtual: they advance but are not rendered.
            channel.level.leaveScene()
            channel.leaveScene(rampFrames: rampFrames)
            channel.isAudible = true
        }
        if let cell = channel.spatialCell { channel.spatial.send(to: cell) }
    }

    private func write(
        _ channel: MixerChannel, _ place: UnsafePointer<ReceivedPath>, _ inputs: ChannelInputs, isPoint: Bool
    ) {
        channel.level.setPath(place, channel.laws, isPoint: isPoint, air, unitsPerMeter: unitsPerMeter)
        if channel.isVirtual { return }
        let common = channel.level.mixer * channel.level.source * channel.level.listener * channel.level.cull
        let absorbed =
            airFilters?.filter(distance: place.pointee.acoustics.direct.centreDistance) ?? (AirFilters.clear, .ones)
        let bands =
            place.pointee.acoustics.direct.bandGains * absorbed.rest * channel.level.sourceDirectivity
            * channel.level.listenerDirectivity
        let send =
            inputs.mix.late.map {
                let meanPower = isPoint ? channel.laws.source.meanPower : .ones
                return $0 * common * lateSend(&channel.spatial, meanPower, inputs.share)
            } ?? 0
        let (bandLevel, colour) = bands.levelAndColour
        let direct = (inputs.mix.direct ?? 0) * common * channel.level.distance * Double(bandLevel)
        if !channel.spatial.equalizer.isSet(to: colour, air: absorbed.taps) {
            channel.spatial.equalizer.set(colour, air: absorbed.taps, output.equalizer)
        }
        channel.spatial.motion.follow(leaps: place.pointee.leaps)
        // Gains arrive where the motion does, or glide as all gains do.
        let gainFrames = place.pointee.isAtRest ? rampFrames : max(place.pointee.frames, Grid.quantum)
        channel.spatial.note(
            directGain: Float(direct), target: ReceivedPath.target(of: place, speed: paths.speed), tier: channel.tier,
            send: Float(send),
            rampFrames: gainFrames)
        if channel.early == nil && channel.paths == nil { return }
        writePaths(channel, place.pointee, common: common, isPoint: isPoint, rampFrames: gainFrames)
    }

    private func writePaths(
        _ channel: MixerChannel, _ path: ReceivedPath, common: Double, isPoint: Bool, rampFrames: Int
    ) {
        let emission = Emission(
            source: isPoint ? channel.laws.source : .omnidirectional, listener: channel.laws.listener,
            path: path, common: common, direct: channel.level.direct ?? 0, early: channel.level.early ?? 0,
            distanceGain: channel.level.distance,
            law: { [distance = channel.laws.distance, unitsPerMeter] in
                distance?.gain(at: $0, unitsPerMeter: unitsPerMeter) ?? 1
            })
        let parameters = PathParameters(output, paths, air: airFilters, rampFrames: rampFrames)
        if let early = channel.early {
            early.control.cell.write(parameters.earlyReflections(of: emission, leaps: channel.spatial.motion.leaps))
        }
        if let box = channel.paths {
            box.control.cell.rewrite {
                parameters.geometry(
                    path.acoustics, of: emission, tier: channel.tier, slots: &channel.spatial.slots, to: $0)
            }
        }
    }

    /// What of a channel's sound goes into the late field around the listener: all that the source radiates, or, where
    /// rays have found its share of the energy there, √share in each band.
    /// - Returns: a factor; the send filter is set to the rest.
    private func lateSend(
        _ state: inout MixerChannel.SpatialState, _ meanPower: OctaveBands, _ share: OctaveBands?
    ) -> Double {
        guard let share else {
            if !state.sendEqualizer.isSet(to: .ones) { state.sendEqualizer.set(.ones, output.equalizer) }
            return Double(meanPower[5]).squareRoot()
        }
        var bands = meanPower
        for band in 0..<OctaveBands.count { bands[band] = (bands[band] * share[band]).squareRoot() }
        state.sendEqualizer.set(bands, tolerance: 0.03, output.equalizer)
        return 1
    }
}

extension ChannelLevel {
    fileprivate mutating func set(_ mix: ChannelMix, source: Double, listener: Double) {
        (mixer, self.source, self.listener) = (mix.gain, source, listener)
        (direct, early, late) = (mix.direct, mix.early, mix.late)
    }

    /// Distance, air and directivities of a path.
    fileprivate mutating func setPath(
        _ received: UnsafePointer<ReceivedPath>, _ laws: borrowing ChannelLaws, isPoint: Bool, _ air: Medium?,
        unitsPerMeter: Double
    ) {
        let (length, effective) = (
            received.pointee.acoustics.direct.centreDistance, received.pointee.acoustics.direct.effectiveDistance
        )
        cull = laws.distance?.cullDistance.map { CullWindow(cullDistance: $0 / unitsPerMeter).gain(at: length) } ?? 1
        distance = laws.distance?.gain(at: effective, unitsPerMeter: unitsPerMeter) ?? 1
        self.air = air?.gains(distance: length) ?? .ones
        sourceDirectivity =
            laws.isSourceEven || !isPoint
            ? .ones : laws.source.gains(from: received.pointee.sender, towards: received.pointee.head.position)
        listenerDirectivity =
            laws.isListenerEven
            ? .ones : laws.listener.gains(from: received.pointee.head, towards: received.pointee.body.position)
        setPath(received)
        passing = ReceivedPath.passingEnergy(of: received)
    }

    /// Obstacles, of which there are mostly none, are not copied for nothing.
    private mutating func setPath(_ received: UnsafePointer<ReceivedPath>) {
        let hasNone = received.pointee.acoustics.direct.obstacles.isEmpty
        guard hasNone, path?.obstacles.isEmpty == true else { return path = received.pointee.acoustics.direct }
        path?.bandGains = received.pointee.acoustics.direct.bandGains
        path?.visibleShare = received.pointee.acoustics.direct.visibleShare
        path?.effectiveDistance = received.pointee.acoustics.direct.effectiveDistance
        path?.centreDistance = received.pointee.acoustics.direct.centreDistance
        path?.direction = received.pointee.acoustics.direct.direction
    }

    /// No path: only gains are known.
    fileprivate mutating func leaveScene() {
        self = ChannelLevel(mixer: mixer, listener: listener, source: source)
    }
}

extension MixerChannel.SpatialState {
    /// What is sent next.
    fileprivate mutating func note(
        directGain: Float, target: MotionTarget, tier: VoiceTier, send: Float, rampFrames: Int
    ) {
        lastSent.directGain = directGain
        lastSent.target = target
        lastSent.leaps = motion.leaps
        lastSent.tier = tier
        lastSent.reverbSend = send
        lastSent.rampFrames = rampFrames
    }

    /// Filters are large, and seldom change.
    mutating func send(to cell: LatestValueCell<SpatialRenderer.Parameters>) {
        cell.rewrite { place in
            place.pointee.directGain = lastSent.directGain
            place.pointee.target = lastSent.target
            place.pointee.leaps = lastSent.leaps
            place.pointee.tier = lastSent.tier
            place.pointee.reverbSend = lastSent.reverbSend
            place.pointee.rampFrames = lastSent.rampFrames
            if place.pointee.equalizerVersion != equalizer.version {
                place.pointee.equalizer = equalizer.design
                place.pointee.equalizerVersion = equalizer.version
            }
            if place.pointee.sendEqualizerVersion != sendEqualizer.version {
                place.pointee.sendEqualizer = sendEqualizer.design
                place.pointee.sendEqualizerVersion = sendEqualizer.version
            }
        }
    }
}
