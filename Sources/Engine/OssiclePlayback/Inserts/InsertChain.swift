import OssicleCore
import OssicleGraph
import OssicleRender

/// An effect unit that can be a link of an insert chain. Any thread.
package protocol InsertableUnit: AnyObject {
    /// What to call it in messages.
    var title: String { get }
    /// Makes it a link of `chain`. Throws for what is no built-in effect, or is used by an engine or by another chain.
    func join(_ chain: InsertChain) throws
    /// Frees it, unless another chain has it by now.
    /// - Parameter chain: nil for one that is being destroyed.
    func leave(_ chain: InsertChain?)
    /// The renderer for a rate and a number of channels, and what keeps it alive: the one there is, if it fits.
    func insertedRenderer(sampleRate: Double, channels: Int) -> (RendererReference, AnyObject)
    /// The next renderer is a new one; one that is in a plan sounds on without the unit's parameters.
    func forgetRenderer()
    /// Seconds of output after the end of the input, latency included; 0 while bypassed.
    func insertedTail(sampleRate: Double) -> Double
    /// What makes it sound as it does, beside what it is: applied in order to a new one, that sounds alike.
    var insertState: [UnitChange] { get }
    /// Carries changes out together.
    func applyInsertState(_ changes: [UnitChange])
}

/// What can change on a unit while it renders.
package enum UnitChange: Codable, Hashable, Sendable {
    case preset(Int)
    /// Of a reverb; nil for the room of its preset.
    case response(ImpulseResponse.Record?)
    case parameter(UInt64, Float)
    case bypass(Bool)
}

/// A refusal of an insert chain.
package typealias InsertError = Fault<InsertFault>

package enum InsertFault: FaultKind {
    /// One unit is in the chain twice.
    case duplicate
}

/// Insert effects in a row, on a mixer's bus or on the engine's output. Under the engine's lock.
///
/// A chain that is changed while it sounds cross-fades from the old row to the new one; what both begin with is kept:
///
///     in ──▶ common effects ─┬─▶ rest of the old row ──▶ fade ──▶ out
///                            └─▶ rest of the new row ──▶   ↑
package final class InsertChain: @unchecked Sendable {
    /// Seconds from one row to the next.
    private static let fadeTime = 0.01
    /// Seconds a tail counts at most: a delay that feeds all of itself back never ends.
    private static let longestTail = 60.0

    /// An effect and the renderer it has in the plan. A renderer whose effect has left keeps the parameters it had.
    private struct Link {
        let effect: any InsertableUnit
        let renderer: RendererReference
        let owner: AnyObject
    }

    private struct Fade {
        /// Effects at the beginning that both rows have.
        let common: Int
        let old: ArraySlice<Link>
        let box: RendererBox<CrossFadeRenderer>
        /// Engine time at which only the new row sounds.
        let end: Int64
    }

    /// The units in their order.
    package private(set) var units: [any InsertableUnit] = []
    /// The row in the plan; nil before it is in one.
    private var links: [Link]?
    private var fade: Fade?
    /// Keeps an error that one of the units could not throw. Set once, before the chain has units.
    package var errorHandler: @Sendable (any Error) -> Void = { _ in }
    /// Receives what changes on one of the units. Set once, before the chain has units.
    package var changeHandler: @Sendable (any InsertableUnit, UnitChange) -> Void = { _, _ in }

    package init() {}

    deinit {
        for unit in units { unit.leave(nil) }
    }

    package func record(_ error: any Error) { errorHandler(error) }

    // MARK: The client's side

    /// Takes all of the units, or throws what is wrong with one and stays as it was.
    package func set(_ next: [any InsertableUnit]) throws {
        var joined: [any InsertableUnit] = []
        do {
            for unit in next {
                guard !joined.contains(where: { $0 === unit }) else {
                    throw InsertError(
                        .duplicate, object: unit.title, found: "it stands twice in the chain",
                        rule: "A unit renders in one position at a time.", cure: "Make another one.")
                }
                if !contains(unit) { try unit.join(self) }
                joined.append(unit)
            }
        } catch {
            for unit in joined where !contains(unit) { unit.leave(self) }
            throw error
        }
        let gone = units.filter { unit in !next.contains { $0 === unit } }
        units = next
        for unit in gone { unit.leave(self) }
    }

    private func contains(_ unit: any InsertableUnit) -> Bool { units.contains { $0 === unit } }

    /// Frames of output after the end of the input.
    package func tail(sampleRate: Double) -> Int64 {
        let seconds = units.reduce(0.0) { $0 + $1.insertedTail(sampleRate: sampleRate) }
        return Int64(min(max(seconds, 0), Self.longestTail) * sampleRate)
    }

    // MARK: The plan's side

    /// Nothing of it is in a plan any more: the next one begins without a fade, and with effects that remember nothing.
    package func halt() {
        (links, fade) = (nil, nil)
        for unit in units { unit.forgetRenderer() }
    }

    /// What it belongs to has ended: the units are free.
    package func dismiss() {
        for unit in units { unit.leave(self) }
        (units, links, fade) = ([], nil, nil)
    }

    /// Brings the row that sounds up to what the client wants; during a fade that waits.
    /// - Returns: whether there is anything for the sound to pass.
    package func renew(channels: Int, sampleRate: Double, at position: Int64) -> Bool {
        if let fade, fade.end <= position { self.fade = nil }
        guard fade == nil else { return true }
        let old = links ?? []
        let common = zip(old, units).prefix { $0.effect === $1 }.count
        if links != nil, common < max(old.count, units.count) {
            let frames = Int(Self.fadeTime * sampleRate)
            fade = Fade(
                common: common, old: old[common...],
                box: RendererBox(CrossFadeRenderer(channelCount: channels, frames: frames)),
                end: position + Int64(frames))
        }
        links =
            old[..<common]
            + units[common...].map { unit in
                // It cannot run twice: in the old row it sounds on as it is, in the new one it begins.
                if old.contains(where: { $0.effect === unit }) { unit.forgetRenderer() }
                let (renderer, owner) = unit.insertedRenderer(sampleRate: sampleRate, channels: channels)
                return Link(effect: unit, renderer: renderer, owner: owner)
            }
        return fade != nil || !units.isEmpty
    }

    /// Whether a fade is under way.
    package var isFading: Bool { fade != nil }

    /// Whether a fade is over, so that the old row may go.
    package func hasFaded(at position: Int64) -> Bool { fade.map { $0.end <= position } ?? false }

    /// Leads sound from `sources` through the row to `targets`; directly if it is empty.
    package func lead(_ sources: [Graph.Port], to targets: [Graph.Port], in graph: inout Graph, channels: Int) {
        let row = links ?? []
        guard let fade else { return Self.connect(pass(row[...], sources, &graph, channels), to: targets, in: &graph) }
        let start = pass(row[..<fade.common], sources, &graph, channels)
        let node = graph.add(
            "fade", .crossFade(fade.box.pointer), owner: fade.box, inputs: [channels, channels], outputs: [channels])
        Self.connect(pass(fade.old, start, &graph, channels), to: [Graph.Port(node, 0)], in: &graph)
        Self.connect(pass(row[fade.common...], start, &graph, channels), to: [Graph.Port(node, 1)], in: &graph)
        Self.connect([Graph.Port(node)], to: targets, in: &graph)
    }

    /// - Returns: where the sound comes out.
    private func pass(
        _ links: ArraySlice<Link>, _ sources: [Graph.Port], _ graph: inout Graph, _ channels: Int
    ) -> [Graph.Port] {
        var sources = sources
        for link in links {
            let node = graph.add(
                link.effect.title, link.renderer, owner: link.owner, inputs: [channels], outputs: [channels])
            Self.connect(sources, to: [Graph.Port(node)], in: &graph)
            sources = [Graph.Port(node)]
        }
        return sources
    }

    private static func connect(_ sources: [Graph.Port], to targets: [Graph.Port], in graph: inout Graph) {
        for source in sources {
            for target in targets { graph.connect(source, to: target) }
        }
    }
}
