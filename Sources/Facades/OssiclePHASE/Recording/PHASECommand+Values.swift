import OssicleAVFAudio
import OssicleAcoustics
import OssicleCore
import OssicleCoreAudioTypes
import OssicleHeadTracking
import OssicleSpatial

// Values of commands, from what the engine has and back.

extension PHASECommand.Settings {
    init(_ settings: EngineSettings) {
        self.init(
            reverbPreset: settings.reverbPreset.rawValue, usesGeometry: settings.usesGeometry,
            unitsPerSecond: settings.unitsPerSecond, unitsPerMeter: settings.unitsPerMeter,
            maximumVoiceCount: settings.maximumVoiceCount, maximumFullVoiceCount: settings.maximumFullVoiceCount,
            medium: settings.medium.map {
                PHASECommand.Medium(
                    temperature: $0.temperature, humidity: $0.humidity, pressure: $0.pressure, absorbs: $0.absorbs,
                    delays: $0.delays)
            })
    }

    func apply(to settings: inout EngineSettings) {
        settings.reverbPreset = PHASEReverbPreset(rawValue: reverbPreset) ?? .none
        settings.acousticsMode = usesGeometry ? .geometry : .preset
        settings.unitsPerSecond = unitsPerSecond.clampedAboveZero()
        settings.unitsPerMeter = unitsPerMeter.clampedAboveZero()
        settings.maximumVoiceCount = maximumVoiceCount.map { max($0, 0) }
        settings.maximumFullVoiceCount = maximumFullVoiceCount.map { max($0, 0) }
        settings.medium = medium.map {
            PHASEMedium(
                Medium(temperature: $0.temperature, humidity: $0.humidity, pressure: $0.pressure), absorbs: $0.absorbs,
                delays: $0.delays)
        }
    }
}

extension PHASECommand.Quality {
    init(_ quality: PHASEAcousticsQuality) {
        self.init(
            rays: quality.rays, bounces: quality.bounces, reflectionOrder: quality.reflectionOrder,
            reflections: quality.reflections, edges: quality.edges, bendsReflections: quality.bendsReflections,
            lateError: quality.lateError)
    }

    var quality: PHASEAcousticsQuality {
        PHASEAcousticsQuality(
            rays: rays, bounces: bounces, reflectionOrder: reflectionOrder, reflections: reflections, edges: edges,
            bendsReflections: bendsReflections, lateError: lateError)
    }
}

extension PHASECommand.Material {
    init(_ material: PHASEMaterial) {
        let values = material.material
        func list(_ bands: OctaveBands) -> [Float] { (0..<OctaveBands.count).map { bands[$0] } }
        self.init(
            name: values.name, absorption: list(values.absorption), scattering: list(values.scattering),
            transmissionLoss: list(values.transmissionLoss), thickness: values.thickness,
            isLocallyReacting: values.isLocallyReacting ? true : nil)
    }

    var material: PHASEMaterial {
        PHASEMaterial(
            AcousticMaterial(
                name: name, absorption: OctaveBands(absorption), scattering: OctaveBands(scattering),
                transmissionLoss: OctaveBands(transmissionLoss), thickness: thickness,
                isLocallyReacting: isLocallyReacting ?? false))
    }
}

extension PHASECommand.Mesh {
    init(_ mesh: TriangleMesh) {
        self.init(
            vertices: mesh.vertices.flatMap { [$0.x, $0.y, $0.z] },
            triangles: mesh.triangles.flatMap { [$0.x, $0.y, $0.z] }, elements: mesh.elements,
            elementCount: mesh.elementCount)
    }

    var mesh: TriangleMesh {
        TriangleMesh(
            vertices: stride(from: 0, to: vertices.count - 2, by: 3).map {
                Vector(vertices[$0], vertices[$0 + 1], vertices[$0 + 2])
            },
            triangles: stride(from: 0, to: triangles.count - 2, by: 3).map {
                SIMD3(triangles[$0], triangles[$0 + 1], triangles[$0 + 2])
            }, elements: elements, elementCount: min(max(elementCount, 1), 1 << 20))
    }
}

extension PHASECommand.Head {
    init(_ pose: HeadPose) {
        let (q, p) = (pose.orientation.quaternion, pose.position)
        self.init(rotation: [q.x, q.y, q.z, q.w], position: [p.x, p.y, p.z])
    }

    /// nil for numbers that are no pose.
    var pose: HeadPose? {
        guard rotation.count == 4, position.count == 3, (rotation + position).allSatisfy(\.isFinite) else { return nil }
        return HeadPose(
            orientation: Rotation(unit: SIMD4(rotation[0], rotation[1], rotation[2], rotation[3])),
            position: SIMD3(position[0], position[1], position[2]))
    }
}

extension PHASECommand.InsertKind {
    init(_ unit: AVAudioUnit) {
        switch unit {
        case let equalizer as AVAudioUnitEQ: self = .equalizer(bands: equalizer.bands.count)
        case is AVAudioUnitDistortion: self = .distortion
        default:
            let description = unit.audioComponentDescription
            self = .unit(
                type: description.componentType, subtype: description.componentSubType,
                maker: description.componentManufacturer)
        }
    }

    func make() -> AVAudioUnitEffect {
        switch self {
        case .equalizer(let bands): return AVAudioUnitEQ(numberOfBands: bands)
        case .distortion: return AVAudioUnitDistortion()
        case .unit(let type, let subtype, let maker):
            return AVAudioUnitEffect(
                audioComponentDescription: AudioComponentDescription(
                    componentType: type, componentSubType: subtype, componentManufacturer: maker,
                    componentFlags: 0, componentFlagsMask: 0))
        }
    }
}

extension PHASECommand.GroupSetting {
    init(_ setting: PHASEGroupPresetSetting) {
        self.init(
            gain: setting.gain, rate: setting.rate, gainCurve: setting.gainCurveType.rawValue,
            rateCurve: setting.rateCurveType.rawValue)
    }

    var setting: PHASEGroupPresetSetting {
        PHASEGroupPresetSetting(
            gain: gain, rate: rate, gainCurveType: PHASECurveType(rawValue: gainCurve) ?? .linear,
            rateCurveType: PHASECurveType(rawValue: rateCurve) ?? .linear)
    }
}
