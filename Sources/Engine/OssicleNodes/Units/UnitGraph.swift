import OssicleGraph
import OssicleRender
import Synchronization

/// A unit by itself: a graph that begins with the sound its host gives, in an executor of its own.
///
///     planes ─▶ feeder ─┐
///     planes ─▶ feeder ─┴─▶ the unit's steps ─▶ host's buffers
package final class UnitGraph: @unchecked Sendable {
    /// Planes that the host's sound lies in before each cycle, one per channel.
    package struct Input {
        let planes: UnsafePointer<UnsafeMutablePointer<Float>>
        let channels: Int

        package init(_ planes: UnsafePointer<UnsafeMutablePointer<Float>>, channels: Int) {
            (self.planes, self.channels) = (planes, channels)
        }
    }

    private let executor = Executor()
    private let feeders: [InputFeeder]
    private let output: UnitOutput
    /// Guards the control side of the executor.
    private let resetting = Mutex(())

    /// - Parameter steps: adds the unit's steps behind a source for each input, and gives where they end.
    package init(
        _ name: String, inputs: [Input], output: UnitOutput, steps: (inout Graph, [Graph.Port]) -> Graph.Port?
    ) throws {
        var graph = Graph()
        let feeders = inputs.map { InputFeeder($0.planes) }
        let sources = zip(inputs, feeders).enumerated().map { number, pair in
            let (input, feeder) = pair
            let box = RendererBox(BlockRenderer { [unowned feeder] in feeder.render($0, $1) })
            return Graph.Port(
                graph.add(
                    "\(name) input \(number)", .block(box.pointer), owner: box, inputs: [], outputs: [input.channels]))
        }
        graph.output = steps(&graph, sources)
        (self.feeders, self.output) = (feeders, output)
        executor.install(try GraphCompiler.compile(graph), at: 0)
    }

    /// Has one of the steps forget what it holds. Any thread.
    package func reset(_ renderer: RendererReference, keeping owner: AnyObject) {
        resetting.withLock { _ in
            executor.collect()
            executor.send(.reset(renderer), keeping: owner, at: executor.position)
        }
    }

    /// Render side: renders what lies in the planes; arguments as for `UnitOutput`.
    package func render(
        _ frames: Int, from start: Int64?, _ events: ParameterEvents, into list: some SampleBufferList
    ) {
        for feeder in feeders { feeder.offset = 0 }
        output.render(frames, from: start, events, into: list, with: executor)
    }
}
