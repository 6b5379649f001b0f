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
    /// What absorbs sound; nil where nothing does.
    private let air: Medium?
    private let unitsPerMeter: Double
    private let position: Int64
    private let rampFrames: Int

    /// - Parameters:
    ///   - position: engine time of the update. - rampFrames: frames in which gains glide.
    package init(
        _ output: OutputStage, _ paths: ScenePaths, rooms: RoomFields, scene: SceneSnapshot, position: Int64,
        rampFrames: Int
    ) {
        self.output = output
        self.paths = paths
        self.rooms = rooms
        self.position = position
        self.rampFrames = rampFrames
        air = scene.absorbs ? scene.medium : nil
        unitsPerMeter = scene.unitsPerMeter
    }

    /// - Returns: whether anything can be heard through the channel.
    package func write(_ channel: MixerChannel, _ binding: Binding, _ values: ParameterValues) -> Bool {
        let gain = channel.blueprint.gain(values)
        switch binding {
        case .spatial(let source, let listener):
            let isAudible = updateSpatial(channel, source, listener, gain: gain, values)
            if case .spatial(let box) = channel.renderer { box.control.cell.write(channel.spatial.lastSent) }
            return isAudible
        case .ambient(let listener):
            let parameters = bed(channel, listener, gain: gain)
            switch channel.renderer {
            case .ambient(let box): box.control.write(parameters)
            case .ambisonic(let box): box.control.cell.write(parameters)
            case .spatial, .channels, .virtual: break
            }
            return true
        case .channel:
            guard case .channels(let box) = channel.renderer else { return true }
            channel.level = ChannelLevel(mixer: gain)
            box.control.write(ChannelRenderer.Parameters(gain: Float(gain), rampFrames: rampFrames))
            return true
        }
    }

    /// Ambient mixers: the bed is fixed in the world, the head rotates in it.
    private func bed(
        _ channel: MixerChannel, _ listener: SceneSnapshot.Listener, gain: Double
    ) -> AmbientRenderer.Parameters {
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

    /// - Returns: whether the channel is within its cull distance.
    private func updateSpatial(
        _ channel: MixerChannel, _ source: SceneSnapshot.Source, _ listener: SceneSnapshot.Listener, gain: Double,
        _ values: ParameterValues
    ) -> Bool {
        guard case .spatial(let spatial) = channel.blueprint.kind,
            let path = paths.heard(source.number, listener.number)
        else {
            // Without a source or listener in the scene the voices are virtual: they advance but are not rendered.
            channel.level = ChannelLevel(mixer: gain, listener: listener.gain, source: source.gain)
            channel.leaveScene(rampFrames: rampFrames)
            return true
        }
        // A shape radiates from its whole surface; only a point has a front.
        let pattern = source.meshes.isEmpty ? channel.sourceDirectivity : .omnidirectional
        var level = ChannelLevel(mixer: gain, listener: listener.gain, source: source.gain)
        level.setPath(path, spatial, pattern, channel.listenerDirectivity, air, unitsPerMeter: unitsPerMeter)
        level.direct = spatial.direct?.value(values)
        level.early = spatial.earlyReflections?.value(values)
        level.late = spatial.lateReverb?.value(values)
        channel.level = level
        if channel.isVirtual { return level.cull > 0 }
        let common = level.mixer * level.source * level.listener * level.cull
        let bands = path.direct.bandGains * level.air * level.sourceDirectivity * level.listenerDirectivity
        let share = rooms.share(of: source.number, at: listener.number)
        let send = (level.late ?? 0) * common * lateSend(&channel.spatial, pattern, share)
        let (bandLevel, colour) = bands.levelAndColour
        let direct = (level.direct ?? 0) * common * level.distance * Double(bandLevel)
        channel.spatial.equalizer.set(colour, output.equalizer)
        channel.spatial.motion.follow(path)
        // Gains arrive where the motion does, or glide as all gains do.
        let gainFrames = path.isAtRest ? rampFrames : max(path.frames, Grid.quantum)
        let (filter, sendFilter) = (channel.spatial.equalizer, channel.spatial.sendEqualizer)
        channel.spatial.lastSent = SpatialRenderer.Parameters(
            directGain: Float(direct), equalizer: filter.design, equalizerVersion: filter.version,
            target: path.target(speed: paths.speed), leaps: channel.spatial.motion.leaps, reverbSend: Float(send),
            sendEqualizer: sendFilter.design, sendEqualizerVersion: sendFilter.version, rampFrames: gainFrames)
        let emission = Emission(
            source: pattern, listener: channel.listenerDirectivity, path: path, common: common,
            direct: level.direct ?? 0, early: level.early ?? 0, distanceGain: level.distance,
            law: { [unitsPerMeter] in spatial.distance?.gain(at: $0, unitsPerMeter: unitsPerMeter) ?? 1 })
        writePaths(channel, emission, path.acoustics, rampFrames: gainFrames)
        return level.cull > 0
    }

    private func writePaths(
        _ channel: MixerChannel, _ emission: Emission, _ acoustics: SourceAcoustics, rampFrames: Int
    ) {
        let parameters = PathParameters(output, paths, air: air, rampFrames: rampFrames)
        if let early = channel.early {
            early.control.cell.write(parameters.earlyReflections(of: emission, leaps: channel.spatial.motion.leaps))
        }
        if let box = channel.paths {
            box.control.cell.write(
                parameters.geometry(acoustics, of: emission, slots: &channel.spatial.slots))
        }
    }

    /// What of a channel's sound goes into the late field around the listener: all that the source radiates, or, where
    /// rays have found its share of the energy there, √share in each band.
    /// - Returns: a factor; the send filter is set to the rest.
    private func lateSend(
        _ state: inout MixerChannel.SpatialState, _ pattern: Directivity, _ share: OctaveBands?
    ) -> Double {
        guard let share else {
            state.sendEqualizer.set(.ones, output.equalizer)
            return Double(pattern.meanPower[5]).squareRoot()
        }
        var bands = pattern.meanPower
        for band in 0..<OctaveBands.count { bands[band] = (bands[band] * share[band]).squareRoot() }
        state.sendEqualizer.set(bands, tolerance: 0.03, output.equalizer)
        return 1
    }
}

extension ChannelLevel {
    /// Distance, air and directivities of a path.
    fileprivate mutating func setPath(
        _ received: ReceivedPath, _ spatial: MixerBlueprint.Spatial, _ source: Directivity, _ listener: Directivity,
        _ air: Medium?, unitsPerMeter: Double
    ) {
        let direct = received.direct
        cull =
            spatial.distance?.cullDistance.map {
                CullWindow(cullDistance: $0 / unitsPerMeter).gain(at: direct.centreDistance)
            } ?? 1
        distance = spatial.distance?.gain(at: direct.effectiveDistance, unitsPerMeter: unitsPerMeter) ?? 1
        if let air { self.air = air.gains(distance: direct.centreDistance) }
        sourceDirectivity = source.gains(from: received.sender, towards: received.head.position)
        listenerDirectivity = listener.gains(from: received.head, towards: received.body.position)
        path = direct
        passing = received.acoustics.passingEnergy
    }
}
