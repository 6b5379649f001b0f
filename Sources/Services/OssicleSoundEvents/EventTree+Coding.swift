import OssicleCore

// Trees in recordings of commands. What is read is checked as what a client builds is.

extension EventTree: Codable {
    private enum CodingKeys: CodingKey { case nodes, mixers, parameters }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(nodes, forKey: .nodes)
        try container.encode(mixers, forKey: .mixers)
        try container.encode(parameters, forKey: .parameters)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let tree = EventTree(
            nodes: try container.decode([Node].self, forKey: .nodes),
            mixers: try container.decode([MixerBlueprint].self, forKey: .mixers),
            parameters: try container.decode([ParameterBlueprint].self, forKey: .parameters))
        guard let tree, tree.namesWhatItHas else {
            throw DecodingError.dataCorruptedError(
                forKey: .nodes, in: container, debugDescription: "The nodes of a sound event are no tree.")
        }
        self = tree
    }

    /// Whether mixers and parameters are there wherever they are named.
    private var namesWhatItHas: Bool {
        func isParameter(_ index: Int?) -> Bool { index.map(parameters.indices.contains) ?? true }
        func isSound(_ generator: Generator) -> Bool {
            mixers.indices.contains(generator.mixer) && isParameter(generator.gainParameter)
                && isParameter(generator.rateParameter)
        }
        let inputs = parameters.indices.allSatisfy { index in
            if case .mapped(let input, _) = parameters[index].kind { (0..<index).contains(input) } else { true }
        }
        let sends = mixers.allSatisfy { mixer in
            guard case .spatial(let spatial) = mixer.kind else { return isParameter(mixer.gainParameter) }
            return isParameter(mixer.gainParameter)
                && [spatial.direct, spatial.earlyReflections, spatial.lateReverb].allSatisfy {
                    isParameter($0?.parameter)
                }
        }
        return inputs && sends
            && nodes.allSatisfy { node in
                switch node.kind {
                case .sampler(let leaf): isSound(leaf.generator)
                case .stream(let leaf): isSound(leaf.generator) && leaf.channelCount > 0 && leaf.sampleRate > 0
                case .container, .sequence: true
                case .random(let weights, _): weights.count == node.children.count
                case .selection(let parameter, let texts): isParameter(parameter) && texts.count == node.children.count
                case .blend(.parameter(let parameter), let ranges):
                    isParameter(parameter) && ranges.count == node.children.count
                case .blend(.distance(let mixer), let ranges):
                    mixers.indices.contains(mixer) && ranges.count == node.children.count
                }
            }
    }
}

extension Envelope: Codable {
    private enum CodingKeys: CodingKey { case start, segments }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(start, forKey: .start)
        try container.encode(segments, forKey: .segments)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let envelope = Envelope(
            start: try container.decode(SIMD2<Double>.self, forKey: .start),
            segments: try container.decode([Segment].self, forKey: .segments))
        guard let envelope else {
            throw DecodingError.dataCorruptedError(
                forKey: .start, in: container, debugDescription: "An envelope begins left of its first end.")
        }
        self = envelope
    }
}

/// Position, three axes and the scale: thirteen numbers.
extension Pose: Codable {
    package func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        for vector in [position, right, up, back] {
            for number in [vector.x, vector.y, vector.z] { try list.encode(number) }
        }
        try list.encode(scale)
    }

    package init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        func vector() throws -> Vector {
            Vector(try list.decode(Double.self), try list.decode(Double.self), try list.decode(Double.self))
        }
        self.init(
            position: try vector(), right: try vector(), up: try vector(), back: try vector(),
            scale: try list.decode(Double.self))
    }
}
