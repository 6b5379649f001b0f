import OssicleAVFAudio
import OssicleSoundEvents

/// A walk over a tree of definitions that writes down what it finds, so that later edits are not seen.
///
/// The walk keeps its own stack: however deep a client nests, ours does not overflow. A definition that hangs in
/// several places is written once per place; one that hangs below itself is an error.
struct DefinitionCapture {
    /// Levels of nodes from the root to the deepest leaf.
    static let greatestDepth = 1000
    /// Places in the tree. Sharing subtrees can multiply them without end.
    static let greatestCount = 65_536

    struct Captured {
        let tree: EventTree
        /// What the streams of the tree play, by node.
        let formats: [Int: AVAudioFormat]
        /// What was changed so that the tree can be played.
        let corrections: [PHASEAssetError]
    }

    private struct Place {
        let definition: PHASESoundEventNodeDefinition
        let parent: Int?
        let depth: Int
    }

    private var waiting: [Place] = []
    private var places: [Place] = []
    private var nodes: [EventTree.Node] = []
    private var definitions: [ObjectIdentifier: Int] = [:]
    private var mixers: [MixerBlueprint] = []
    private var mixerIndices: [ObjectIdentifier: Int] = [:]
    private var parameters: [ParameterBlueprint] = []
    private var parameterIndices: [String: Int] = [:]
    /// Formats of the streams, by node.
    private var formats: [Int: AVAudioFormat] = [:]
    /// What was changed so that the tree can be played.
    private var corrections: [PHASEAssetError] = []

    static func event(from root: PHASESoundEventNodeDefinition) throws -> Captured {
        var capture = DefinitionCapture()
        capture.waiting = [Place(definition: root, parent: nil, depth: 1)]
        while let place = capture.waiting.popLast() { try capture.visit(place) }
        guard let tree = EventTree(nodes: capture.nodes, mixers: capture.mixers, parameters: capture.parameters) else {
            throw refusal(
                of: root, "its children form no tree", rule: "Every node but the root hangs below another.",
                cure: "Build the tree from PHASE's node definitions.")
        }
        return Captured(tree: tree, formats: capture.formats, corrections: capture.corrections)
    }

    /// Keeps the format of the stream that is being written.
    mutating func note(_ format: AVAudioFormat, of stream: PHASEGeneratorNodeDefinition) throws {
        guard !formats.keys.contains(where: { nodes[$0].identifier == stream.identifier }) else {
            throw DefinitionCapture.refusal(
                of: stream, "another stream of this tree has its identifier",
                rule: "A sound event knows its streams by identifier, and each plays in one place.",
                cure: "Make a definition with an identifier of its own for every place.")
        }
        formats[nodes.count] = format
    }

    private mutating func visit(_ place: Place) throws {
        try check(place)
        let index = nodes.count
        let definition = definitions[ObjectIdentifier(place.definition)] ?? definitions.count
        definitions[ObjectIdentifier(place.definition)] = definition
        if let parent = place.parent { nodes[parent].children.append(index) }
        places.append(place)
        nodes.append(
            EventTree.Node(
                identifier: place.definition.identifier, definition: definition,
                kind: try place.definition.capturedKind(in: &self)))
        // The last child goes in first, so that the first one comes out first.
        waiting += place.definition.children.reversed().map {
            Place(definition: $0, parent: index, depth: place.depth + 1)
        }
    }

    private func check(_ place: Place) throws {
        var ancestor = place.parent
        while let index = ancestor {
            guard places[index].definition !== place.definition else {
                throw DefinitionCapture.refusal(
                    of: place.definition, "it hangs below itself", rule: "A sound event is a tree.",
                    cure: "Do not add a node to one of its own subtrees.")
            }
            ancestor = places[index].parent
        }
        guard place.depth <= DefinitionCapture.greatestDepth else {
            throw DefinitionCapture.refusal(
                of: place.definition, "it lies on level \(place.depth)",
                rule: "A tree has at most \(DefinitionCapture.greatestDepth) levels.", cure: "Nest less deeply.")
        }
        guard nodes.count + waiting.count < DefinitionCapture.greatestCount else {
            throw DefinitionCapture.refusal(
                of: place.definition, "the tree has too many places when it is reached",
                rule:
                    "A tree has at most \(DefinitionCapture.greatestCount) nodes, shared subtrees counted where they hang.",
                cure: "Split the sound event, or share fewer subtrees.")
        }
    }

    /// What a tree is refused for, naming the definition that is in the way.
    static func refusal(
        of definition: PHASEDefinition, _ finding: String, rule: String, cure: String
    ) -> PHASEAssetError {
        PHASEAssetError(
            .badParameters, object: "\(type(of: definition)) “\(definition.identifier)”", value: finding, rule: rule,
            cure: cure)
    }
}

extension DefinitionCapture {
    /// Index of a mixer; every definition object is a mixer of its own, whatever it is called.
    mutating func mixer(_ definition: PHASEMixerDefinition) throws -> Int {
        if let index = mixerIndices[ObjectIdentifier(definition)] { return index }
        let blueprint = MixerBlueprint(
            identifier: definition.identifier, gain: definition.gain,
            gainParameter: try parameter(definition.gainMetaParameterDefinition),
            kind: try definition.capturedKind(in: &self))
        mixers.append(blueprint)
        mixerIndices[ObjectIdentifier(definition)] = mixers.count - 1
        return mixers.count - 1
    }

    /// How loud a part of a pipeline is sent; nil if the pipeline does not have it.
    mutating func send(
        _ category: PHASESpatialCategory, of pipeline: PHASESpatialPipeline
    ) throws -> MixerBlueprint.LevelWithParameter? {
        guard let entry = pipeline.entries[category] else { return nil }
        return MixerBlueprint.LevelWithParameter(
            level: entry.sendLevel, parameter: try parameter(entry.sendLevelMetaParameterDefinition))
    }

    mutating func parameter(_ definition: PHASEMetaParameterDefinition?) throws -> Int? {
        guard let definition else { return nil }
        return try parameter(definition) as Int
    }

    /// Index of a meta-parameter. The identifier is what makes two the same: it is their key in a running sound event.
    mutating func parameter(_ definition: PHASEMetaParameterDefinition) throws -> Int {
        var chain = [definition]
        while let followed = chain[chain.count - 1].followed {
            guard chain.count < DefinitionCapture.greatestDepth else {
                throw DefinitionCapture.refusal(
                    of: definition, "it follows a chain of \(chain.count) meta-parameters",
                    rule: "A chain has fewer than \(DefinitionCapture.greatestDepth).", cure: "Map in fewer steps.")
            }
            chain.append(followed)
        }
        var index: Int?
        for link in chain.reversed() { index = try write(link, following: index) }
        return index ?? 0
    }

    private mutating func write(_ definition: PHASEMetaParameterDefinition, following input: Int?) throws -> Int {
        let blueprint = ParameterBlueprint(
            identifier: definition.identifier, kind: definition.capturedKind(following: input))
        guard let index = parameterIndices[definition.identifier] else {
            parameters.append(blueprint)
            parameterIndices[definition.identifier] = parameters.count - 1
            if let correction = definition.correction { corrections.append(correction) }
            return parameters.count - 1
        }
        guard parameters[index].isOfSameKind(as: blueprint) else {
            throw DefinitionCapture.refusal(
                of: definition, "another kind of meta-parameter in this tree has its identifier",
                rule: "An identifier stands for one meta-parameter.", cure: "Rename one of the two.")
        }
        return index
    }
}

extension ParameterBlueprint {
    /// Numbers with numbers, texts with texts; mapped numbers only with those that follow the same input alike.
    fileprivate func isOfSameKind(as other: ParameterBlueprint) -> Bool {
        switch (kind, other.kind) {
        case (.number, .number), (.text, .text): true
        case (.mapped, .mapped): kind == other.kind
        default: false
        }
    }
}
