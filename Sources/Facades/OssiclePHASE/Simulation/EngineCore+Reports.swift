import OssicleAcoustics
import OssicleCore
import OssicleRender
import OssicleSpatial

/// A view of the inside.
extension EngineCore {
    /// As of the last update.
    var directPathReports: [PHASEDirectPathReport] {
        spatial.paths.receivedPaths.map { key, path in
            PHASEDirectPathReport(
                source: requested { objects.names[key.source] } ?? "Source \(key.source)",
                listener: requested { objects.names[key.listener] } ?? "Listener \(key.listener)",
                distance: path.direct.centreDistance, visibleShare: path.direct.visibleShare,
                bandGains: path.direct.bandGains.values.map(Double.init),
                occluders: path.direct.obstacles.map { PHASEDirectPathReport.Occluder($0, name: $0.name) })
        }
    }

    /// Why an event sounds as it does, or does not.
    func explain(_ event: EventInstance) -> PHASEExplanation {
        locked {
            let ofEngine: [PHASEExplanation.Cause] =
                switch renderingState {
                case .stopped: [.engineStopped]
                case .paused: [.enginePaused]
                case .started: []
                }
            let overload = session.overload
            return PHASEExplanation(
                spatial.explain(
                    event, preset: acousticsMode == .geometry ? nil : reverbPreset.room,
                    isRunning: renderingState == .started),
                of: event, ofEngine: ofEngine, time: now,
                lastUpdate: Double(spatial.player.lastUpdate) / spatial.player.sampleRate,
                secondsBehindDevice: overload.isOverloaded && session.device != nil ? overload.lag : nil)
        }
    }

    func takeMeters() -> PHASEMeters { locked { output.map { PHASEMeters($0.main) } ?? .nothing } }
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
