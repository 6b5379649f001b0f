import OssicleCore
import OssicleInspection
import OssicleSIMD

/// What somebody at the view does to a scene: by the client's own calls, so that the same rules hold.
extension SceneInspection {
    func perform(_ command: InspectorCommand) throws {
        guard let control else { throw InspectorCommandError.unknown(command.target) }
        switch command.target.kind {
        case .source, .listener: try perform(command, on: try object(command.target, control), control)
        case .group:
            guard let group = control.locked({ control.store.groups[command.target.id] }) else {
                throw InspectorCommandError.unknown(command.target)
            }
            try perform(command, on: group)
        case .voice, .engine: try setParameter(command, control)
        case .node: throw InspectorCommandError.unknown(command.target)
        }
    }

    private func object(_ target: InspectedTarget, _ control: EngineControl) throws -> PHASEObject {
        let found: PHASEObject? = control.locked {
            if target.kind == .source {
                let sources: [PHASESource] = control.objects.objectsInScene()
                return sources.first { $0.number == target.number }
            }
            let listeners: [PHASEListener] = control.objects.objectsInScene()
            return listeners.first { $0.number == target.number }
        }
        guard let found else { throw InspectorCommandError.unknown(target) }
        return found
    }

    private func perform(_ command: InspectorCommand, on object: PHASEObject, _ control: EngineControl) throws {
        switch command.action {
        case .move:
            let position =
                try command.checkedPosition() * control.requested { control.settings.requested.unitsPerMeter }
            var transform = object.worldTransform
            transform.columns.3 = simd_float4(Float(position.x), Float(position.y), Float(position.z), 1)
            object.worldTransform = transform
        case .turn:
            let angle = Float(try command.checkedValue().truncatingRemainder(dividingBy: 360) * .pi / 180)
            var transform = simd_float4x4(simd_quatf(angle: angle, axis: simd_float3(0, 1, 0)))
            let old = object.worldTransform
            transform *= simd_length(old.columns.0)
            transform.columns.3 = old.columns.3
            object.worldTransform = transform
        case .mute, .solo:
            guard object is PHASESource else { throw InspectorCommandError.unfit(command) }
            let isOn = try command.checkedValue() != 0
            let sources: [PHASESource] = control.locked {
                if command.action == .mute {
                    silencing.mute(object.number, isOn)
                } else {
                    silencing.solo(object.number, isOn)
                }
                return control.objects.objectsInScene()
            }
            silence(sources)
        case .set:
            guard command.parameter == "gain" else { throw InspectorCommandError.unfit(command) }
            let value = try command.checkedValue()
            (object as? PHASEListener)?.gain = value
            guard let source = object as? PHASESource else { return }
            let isSilenced = control.locked {
                guard silencing.keptLevel(of: source.number) != nil else { return false }
                silencing.keep(min(max(value, 0), 1), for: source.number)
                return true
            }
            if !isSilenced { source.gain = value }
        }
    }

    private func perform(_ command: InspectorCommand, on group: PHASEGroup) throws {
        let value = try command.checkedValue()
        switch (command.action, command.parameter) {
        case (.mute, _): value != 0 ? group.mute() : group.unmute()
        case (.solo, _): value != 0 ? group.solo() : group.unsolo()
        case (.set, "gain"): group.gain = value
        case (.set, "rate"): group.rate = value
        default: throw InspectorCommandError.unfit(command)
        }
    }

    /// A meta-parameter, of a voice's event or of all.
    private func setParameter(_ command: InspectorCommand, _ control: EngineControl) throws {
        guard command.action == .set, let name = command.parameter,
            let parameter = control.locked({ parameters(of: command.target, control) })[name]
        else { throw InspectorCommandError.unfit(command) }
        parameter.value = try command.checkedValue()
    }

    /// Numbers that can be set, by name. Under the engine's lock.
    func parameters(of target: InspectedTarget, _ control: EngineControl) -> [String: PHASENumberMetaParameter] {
        let all: [String: PHASEMetaParameter]
        if target.kind == .engine {
            all = control.engine?.assetRegistry.globalMetaParameters ?? [:]
        } else if let number = target.number, let voice = voice(number),
            let event = voice.event.client?.object as? PHASESoundEvent
        {
            all = event.metaParameters
        } else {
            all = [:]
        }
        return all.compactMapValues { $0 as? PHASENumberMetaParameter }
    }

    /// Sets the gains of sources that are muted, or not soloed, to 0, and gives others theirs back.
    func silence(_ sources: [PHASESource]) {
        guard let control else { return }
        let byNumber = Dictionary(sources.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        control.locked {
            silencing.apply(
                to: sources.map(\.number), level: { byNumber[$0]?.gain ?? 1 }, set: { byNumber[$0]?.gain = $1 })
        }
    }
}
