// Seeing what the graph is and does.

import OssicleCore
import OssicleNodes

extension OssicleAdditions where Self: AVAudioEngine {
    /// Whether nodes are measured while they render: cost, peak, silence. Default false; it costs a pass over every
    /// node's output.
    public var isInspectionEnabled: Bool {
        get { machine.locked { machine.planning.isInspected } }
        set {
            machine.locked {
                guard machine.planning.isInspected != newValue else { return }
                machine.planning.isInspected = newValue
                machine.reinstall()
            }
        }
    }

    /// All nodes as they are now, in the order in which they were attached. Peaks and costs begin anew with every call.
    public func nodeReports() -> [AVAudioNodeReport] {
        machine.locked { GraphPicture(machine).reports }
    }

    /// The graph in words: who feeds whom, in which format, and, while inspected, what each node costs and gives.
    public func dumpGraph(_ notation: AVAudioEngine.GraphNotation = .text) -> String {
        machine.locked {
            let picture = GraphPicture(machine)
            return notation == .text ? picture.text : picture.graphviz
        }
    }
}

extension AVAudioEngine {
    /// How `dumpGraph` writes (an addition of Ossicle).
    public enum GraphNotation: Sendable {
        /// Indented lines, from the end of the graph backwards.
        case text
        /// The language of Graphviz: `dot -Tsvg`.
        case graphviz
    }
}

/// One node of a graph as it was found (an addition of Ossicle).
public struct AVAudioNodeReport: Sendable {
    /// What the node is, with a number among its kind: "AVAudioMixerNode 1".
    public let name: String
    /// Whether it feeds an end of the graph, and so renders.
    public let isActive: Bool
    /// Format of each connected input bus, in words.
    public let inputs: [String]
    /// Format of each output bus, in words.
    public let outputs: [String]
    /// Share of all measured rendering that this node took since the last report, 0 to 1.
    public let costShare: Double
    /// Largest sample since the last report, linear.
    public let peak: Float
    /// Share of the time since inspection began in which it was known to be silent, 0 to 1.
    public let silentShare: Double
    /// Seconds by which it delays.
    public let latency: Double
}

/// A graph's nodes and connections in words. Under the engine's lock.
struct GraphPicture {
    private let model: GraphModel
    private let machine: EngineMachine
    private let names: [ObjectIdentifier: String]
    let reports: [AVAudioNodeReport]

    init(_ machine: EngineMachine) {
        (self.machine, model) = (machine, machine.model)
        var counts: [String: Int] = [:]
        var names: [ObjectIdentifier: String] = [:]
        for node in machine.model.nodes {
            counts[node.title, default: 0] += 1
            names[ObjectIdentifier(node)] = "\(node.title) \(counts[node.title] ?? 1)"
        }
        self.names = names
        let costs = machine.model.nodes.map { Double($0.meter.pointer.pointee.cost.exchange(0)) }
        let total = max(costs.reduce(0, +), 1)
        reports = zip(machine.model.nodes, costs).map { node, cost in
            Self.report(node, names[ObjectIdentifier(node)] ?? node.title, cost / total, machine)
        }
    }

    private static func report(
        _ node: AVAudioNode, _ name: String, _ share: Double, _ machine: EngineMachine
    ) -> AVAudioNodeReport {
        let meter = node.meter.pointer
        let frames = meter.pointee.frames.load()
        return AVAudioNodeReport(
            name: name, isActive: machine.places[ObjectIdentifier(node)] != nil,
            inputs: machine.model.wires(into: node).map { words($0.format) },
            outputs: (0..<node.numberOfOutputs).map {
                words(machine.model.format(of: BusKey(node, .output, bus: $0), node: node))
            },
            costShare: share, peak: meter.pointee.takePeak(),
            silentShare: frames > 0 ? Double(meter.pointee.silentFrames.load()) / Double(frames) : 0,
            latency: node.latency)
    }

    static func words(_ format: AVAudioFormat) -> String {
        "\(format.channelCount) ch \(Int(format.sampleRate.isFinite ? format.sampleRate : 0)) Hz"
    }

    // MARK: Text

    var text: String {
        let state =
            switch machine.state {
            case .stopped: "stopped"
            case .running: "running"
            case .paused: "paused"
            }
        var lines = [
            "AVAudioEngine, \(state), \(machine.manual == nil ? "device" : "manual rendering"), \(Self.words(machine.renderFormat))"
        ]
        let ends = model.nodes.filter { model.wires(from: $0).isEmpty }
        var shown: Set<ObjectIdentifier> = []
        for end in ends { append(end, nil, depth: 1, &shown, &lines) }
        return lines.joined(separator: "\n")
    }

    private func append(
        _ node: AVAudioNode, _ wire: Wire?, depth: Int, _ shown: inout Set<ObjectIdentifier>, _ lines: inout [String]
    ) {
        let via = wire.map { "bus \($0.targetBus) ← bus \($0.sourceBus), \(Self.words($0.format)): " } ?? ""
        let isNew = shown.insert(ObjectIdentifier(node)).inserted
        lines.append(
            String(repeating: "  ", count: depth) + via + (names[ObjectIdentifier(node)] ?? "")
                + (isNew ? details(node) : " (see above)"))
        guard isNew else { return }
        for wire in model.wires(into: node) { append(wire.source, wire, depth: depth + 1, &shown, &lines) }
    }

    private func details(_ node: AVAudioNode) -> String {
        guard let index = model.nodes.firstIndex(where: { $0 === node }) else { return "" }
        let report = reports[index]
        var words: [String] = []
        if !report.isActive { words.append(machine.state == .stopped ? "not rendered" : "feeds nothing that is heard") }
        if node.latency > 0 { words.append("latency \(Self.short(node.latency * 1000)) ms") }
        if !node.taps.all.isEmpty { words.append("\(node.taps.all.count) tap\(node.taps.all.count == 1 ? "" : "s")") }
        let dropped = node.taps.all.reduce(0) { $0 + $1.droppedFrames }
        if dropped > 0 { words.append("\(dropped) frames of taps dropped, because they were not fetched in time") }
        if machine.planning.isInspected, report.isActive {
            words.append("cost \(Self.short(report.costShare * 100)) %")
            words.append(
                report.peak > 0 ? "peak \(Self.short(20 * DeterministicMath.log10(Double(report.peak)))) dB" : "silent")
        }
        return words.isEmpty ? "" : " [" + words.joined(separator: ", ") + "]"
    }

    private static func short(_ value: Double) -> String {
        value.isFinite ? "\((value * 10).rounded() / 10)" : "\(value)"
    }

    // MARK: Graphviz

    var graphviz: String {
        var lines = ["digraph AVAudioEngine {", "  rankdir=LR;", "  node [shape=box, fontname=\"Helvetica\"];"]
        for (node, report) in zip(model.nodes, reports) {
            let details = self.details(node).replacingOccurrences(of: "\"", with: "'")
            lines.append(
                "  \"\(report.name)\" [label=\"\(report.name)\\n\(details)\"\(report.isActive ? "" : ", style=dashed")];"
            )
        }
        for wire in model.wires {
            let (from, to) = (names[ObjectIdentifier(wire.source)] ?? "", names[ObjectIdentifier(wire.target)] ?? "")
            lines.append(
                "  \"\(from)\" -> \"\(to)\" [label=\"\(wire.sourceBus) → \(wire.targetBus)\\n\(Self.words(wire.format))\"];"
            )
        }
        return (lines + ["}"]).joined(separator: "\n")
    }
}
