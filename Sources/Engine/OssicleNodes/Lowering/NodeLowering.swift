import OssicleGraph
import OssicleRender

/// What a node sees while it adds its renderers to a graph: its busses and its sample rate.
package struct NodeLowering<Format: BusFormat> {
    package struct Bus {
        package let index: Int
        package let format: Format
        /// The properties of the source behind an input bus; `nil` without a source, and for outputs.
        package let mixing: SourceMixing?
        package var channels: Int { format.channels }

        package init(index: Int, format: Format, mixing: SourceMixing? = nil) {
            self.index = index
            self.format = format
            self.mixing = mixing
        }
    }

    /// The graph under construction.
    package var graph: Graph
    /// Frames per second on both sides of the node.
    package let sampleRate: Double
    /// The connected input busses, in order; none for a core whose inputs are lowered one by one.
    package let inputs: [Bus]
    /// The format of each output bus.
    package let outputs: [Bus]
    /// Set while the engine is inspected; belongs to the renderer of the node's output.
    package let meter: RendererBox<StepMeter>?
    /// Ports of the signals that enter this node from another clock, by input bus.
    package let arrivals: [Int: Graph.Port]
    /// What has to be done under no lock before the node sounds; the plan has silence in its place.
    package var waiting: [() -> Void] = []
    /// Whether the next plan may have what was added too, as long as connections, formats and sources are the same. A
    /// node says no where its renderers depend on more.
    package var mayBeKept = true

    package var outputChannels: Int { outputs.first?.channels ?? 0 }

    /// A connected input bus.
    package func input(_ bus: Int) -> Bus? {
        var (low, high) = (0, inputs.count)
        while low < high {
            let middle = (low + high) / 2
            if inputs[middle].index < bus { low = middle + 1 } else { high = middle }
        }
        return low < inputs.count && inputs[low].index == bus ? inputs[low] : nil
    }
}

/// The ports of a node's busses.
package struct NodePorts {
    package var inputs: BusPorts
    package var outputs: BusPorts
    /// Where a core adds up the inputs that are lowered by themselves, in the order of their busses.
    package var sum: Graph.Port?

    package init(inputs: BusPorts = [:], outputs: BusPorts = [:], sum: Graph.Port? = nil) {
        self.inputs = inputs
        self.outputs = outputs
        self.sum = sum
    }
}

/// The ports of an input that is lowered by itself.
package struct InputPorts {
    let input: Graph.Port
    /// Goes into the core's `sum`.
    let output: Graph.Port

    package init(input: Graph.Port, output: Graph.Port) { (self.input, self.output) = (input, output) }
}

/// A port for each bus of one direction. Most nodes have one bus, which takes no table.
package struct BusPorts: ExpressibleByDictionaryLiteral {
    private var first: (bus: Int, port: Graph.Port)?
    private var others: [Int: Graph.Port] = [:]

    package init(dictionaryLiteral ports: (Int, Graph.Port)...) {
        for (bus, port) in ports { self[bus] = port }
    }

    var isEmpty: Bool { first == nil }

    /// The port of bus 0, if that is the only one.
    var only: Graph.Port? { first?.bus == 0 && others.isEmpty ? first?.port : nil }

    func map(_ moved: (Graph.Port) -> Graph.Port) -> BusPorts {
        var ports = self
        ports.first = first.map { ($0.bus, moved($0.port)) }
        if !others.isEmpty { ports.others = others.mapValues(moved) }
        return ports
    }

    package subscript(bus: Int) -> Graph.Port? {
        get { first?.bus == bus ? first?.port : others[bus] }
        set {
            if first == nil || first?.bus == bus {
                first = newValue.map { (bus, $0) }
            } else {
                others[bus] = newValue
            }
        }
    }
}
