// Seeing what the graph is and does.

extension OssicleAdditions where Self: AVAudioEngine {
    /// Whether nodes are measured while they render: cost, peak, silence. Default false; it costs a pass over every node's output.
    public var isInspectionEnabled: Bool {
        get { machine.locked { machine.isInspected } }
        set {
            machine.locked {
                guard machine.isInspected != newValue else { return }
                machine.isInspected = newValue
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
    /// How `dumpGraph` writes.
    public enum GraphNotation: Sendable {
        /// Indented lines, from the end of the graph backwards.
        case text
        /// The language of Graphviz: `dot -Tsvg`.
        case graphviz
    }
}
