import OssicleAcoustics
import OssicleSpatial

/// Additions of Ossicle: a view of what the engine does.
extension OssicleAdditions where Self: PHASEEngine {
    /// What becomes of a sound event, factor by factor, and why it is not heard, if it is not (an addition of Ossicle).
    ///
    /// Print it. Nothing that is heard changes by asking. An event of another engine is recorded as `lastError`; it is
    /// explained by its own.
    public func explain(_ event: PHASESoundEvent) -> PHASEExplanation {
        if event.control !== control {
            control.record(
                PHASESoundEventError(
                    .apiMisuse,
                    "explain(_:) was asked about event “\(event.instance.parts.assetIdentifier)” of another engine; ask the engine that it was made with."
                ))
        }
        return event.control.locked { PHASEExplanation(of: event.instance, in: event.control) }
    }

    /// How the sound of each source reaches each listener, as of the last update: distance, what is in sight, what
    /// stands between.
    public var directPaths: [PHASEDirectPathReport] {
        control.locked {
            control.spatial.paths.receivedPaths.map { key, path in
                PHASEDirectPathReport(
                    path.direct, source: control.objects.name(of: key.source) ?? "Source \(key.source)",
                    listener: control.objects.name(of: key.listener) ?? "Listener \(key.listener)")
            }
        }
    }

    /// How the sounds that are read from files while they play are doing (an addition of Ossicle). Offline nothing
    /// starves.
    public var streamStatistics: PHASEStreamStatistics {
        control.locked { PHASEStreamStatistics(of: control.spatial.player) }
    }

    /// Levels since the last time this was read.
    public func takeMeters() -> PHASEMeters {
        control.locked { control.spatial.output.map { PHASEMeters($0.main) } ?? .nothing }
    }
}

/// How the direct sound of one source reaches one listener (an addition of Ossicle).
public struct PHASEDirectPathReport: Sendable {
    /// What one occluder takes away.
    public struct Occluder: Sendable {
        /// Of the occluder.
        public let name: String
        /// dB in the ten octave bands 31.5 Hz … 16 kHz, mean over the rays that meet it.
        public let loss: [Double]
        /// Share of the rays from the listener to the source that meet it, 0…1.
        public let share: Double
    }

    /// Name of the source.
    public let source: String
    /// Name of the listener.
    public let listener: String
    /// Metres, from centre to centre.
    public let distance: Double
    /// Share of the source that is in plain sight, 0…1.
    public let visibleShare: Double
    /// Amplitude factors in the ten octave bands, from occlusion alone.
    public let bandGains: [Double]
    /// What stands between them, in the order in which rays meet it.
    public let occluders: [Occluder]
}

/// Levels of the engine's output over a stretch of time (an addition of Ossicle).
public struct PHASEMeters: Sendable {
    /// Frames the meters cover.
    public let frames: Int64
    /// Mean square of all channels (full scale 1), of sound that came straight.
    public let directPower: Double
    /// Mean square of all channels, of sound that came from the reverb.
    public let reverbPower: Double
    /// Largest sample of the output, linear.
    public let peak: Double
    /// Frames in which the safety limiter was at work.
    public let limitedFrames: Int64
    /// Frames silenced because a sample was not a finite number.
    public let nonFiniteFrames: Int64
}

extension PHASEDirectPathReport {
    fileprivate init(_ path: DirectPath, source: String, listener: String) {
        self.init(
            source: source, listener: listener, distance: path.centreDistance, visibleShare: path.visibleShare,
            bandGains: path.bandGains.values.map(Double.init),
            occluders: path.obstacles.map { Occluder($0, name: $0.name) })
    }
}

extension PHASEDirectPathReport.Occluder {
    init(_ obstacle: DirectPath.Obstacle, name: String) {
        self.init(name: name, loss: obstacle.loss.values.map(Double.init), share: obstacle.share)
    }
}

extension PHASEMeters {
    /// Of a mix that does not sound.
    static let nothing = PHASEMeters(
        frames: 0, directPower: 0, reverbPower: 0, peak: 0, limitedFrames: 0, nonFiniteFrames: 0)

    /// Of a mix since the last call.
    init(_ bus: OutputBus) {
        let (now, before) = bus.takeMeters()
        let samples = Double(max(now.frames - before.frames, 1)) * Double(max(bus.channelCount, 1))
        self.init(
            frames: now.frames - before.frames, directPower: (now.directEnergy - before.directEnergy) / samples,
            reverbPower: (now.reverbEnergy - before.reverbEnergy) / samples, peak: Double(now.peak),
            limitedFrames: now.limitedFrames - before.limitedFrames,
            nonFiniteFrames: now.nonFiniteFrames - before.nonFiniteFrames)
    }
}
