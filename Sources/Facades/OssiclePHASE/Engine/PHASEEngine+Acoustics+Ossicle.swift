import OssicleAcoustics
import OssicleSpatial

/// Where reflections and reverb come from (additions of Ossicle).
extension PHASEEngine {
    /// Where reflections and reverb come from.
    public enum AcousticsMode: Sendable {
        /// The reverb preset, as in PHASE.
        case preset
        /// The geometry of the scene.
        case geometry
    }
}

extension OssicleAdditions where Self: PHASEEngine {
    /// Default `.preset`. In `.geometry` the occluders in the scene reflect and diffract sound and make the
    /// reverb, and `defaultReverbPreset` is not rendered; in the open there is none. May change while sounds play:
    /// tails finish, paths fade.
    public var acousticsMode: PHASEEngine.AcousticsMode {
        get { control.requested { control.settings.requested.acousticsMode } }
        set { control.set { $0.acousticsMode = newValue } }
    }

    /// How much work goes into `.geometry`, and into reverb zones that are computed. Default `.medium`.
    public var acousticsQuality: PHASEAcousticsQuality {
        get { control.locked { PHASEAcousticsQuality(control.spatial.rooms.quality) } }
        set {
            control.locked {
                for correction in newValue.corrections {
                    record(PHASEError(.invalidObject, "acousticsQuality: \(correction) Pass a value in range."))
                }
                control.spatial.rooms.quality = newValue.quality
                control.note(.quality(PHASECommand.Quality(newValue)))
                control.spatial.valuesChanged()
            }
        }
    }

    /// Seconds that one simulation of the late field may take at a device; there are up to ten a second. Nil
    /// is 0.05. Where simulations take longer, less is done (`acousticsReport` says what), and the audio thread never
    /// waits. Offline nothing is left out.
    ///
    /// Anything that is not above 0 and finite is taken as nil.
    public var acousticsBudget: Double? {
        get { control.locked { control.spatial.rooms.requestedBudget } }
        set {
            control.locked {
                control.spatial.rooms.requestedBudget = newValue.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
            }
        }
    }

    /// What the simulation does at present.
    public var acousticsReport: PHASEAcousticsReport {
        control.locked {
            PHASEAcousticsReport(
                control.spatial.rooms.budget,
                reflections: control.spatial.paths.receivedPaths.reduce(0) { $0 + $1.path.acoustics.reflections.count },
                assumptions: control.objects.windingAssumptions())
        }
    }

    /// T60, clarity, intelligibility and so on for a source and a listener where they are now, from the scene's
    /// geometry whatever the mode is. Rays at quality `.high`: takes tenths of a second, on the caller's thread and the
    /// workers; the engine plays on meanwhile.
    /// - Parameters:
    ///   - source: where it sounds.
    ///   - listener: where it is heard.
    ///   - speech: for a speech transmission index with levels, noise and masking; in quiet without.
    /// - Throws: `PHASEError.invalidObject` if one of the two is not in this engine's scene.
    public func roomMetrics(
        from source: PHASESource, to listener: PHASEListener, speech: PHASESpeechConditions? = nil
    ) throws -> PHASERoomMetrics {
        let (solver, geometry, head) = try control.locked {
            for object in [source, listener] as [PHASEObject] where object.control !== control || !object.isInScene {
                throw PHASEError(
                    .invalidObject,
                    "roomMetrics: \(object.reportName) is not in this engine's scene; add it below rootObject first.")
            }
            let scene = AcousticScene(
                occluders: control.objects.occluders(), medium: control.settings.current.medium?.medium ?? Medium())
            var shapes: [UInt64: SourceShape] = [:]
            return (
                SceneSolver(scene: scene, quality: .high, seed: control.spatial.player.seed),
                source.snapshot.geometry(at: source.worldPose, cache: &shapes), listener.headPose
            )
        }
        let (metrics, errors, escapedShare) = solver.roomMetrics(
            of: geometry, at: head.position, ears: head.right, speech: speech?.conditions)
        return PHASERoomMetrics(
            t20: metrics.t20, t30: metrics.t30, edt: metrics.edt, c50: metrics.c50, c80: metrics.c80, d50: metrics.d50,
            centreTime: metrics.centreTime, strength: metrics.strength, lf: metrics.lateralFraction,
            lfc: metrics.lateralFractionCosine, lg: metrics.lateLateralStrength, sti: metrics.speechTransmission,
            escapedShare: escapedShare, errors: errors)
    }
}
