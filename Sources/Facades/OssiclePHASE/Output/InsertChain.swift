import OssicleAVFAudio
import OssicleGraph
import OssicleRender

/// Insert effects in a row, on a mixer's bus or on the engine's output. Under the engine's lock.
///
/// A chain that is changed while it sounds fades over from the old row to the new one; what both begin with goes on:
///
///     in ──▶ common effects ─┬─▶ rest of the old row ──▶ fade ──▶ out
///                            └─▶ rest of the new row ──▶   ↑
final class InsertChain: UnitChain, @unchecked Sendable {
    /// Seconds from one row to the next.
    private static let fadeTime = 0.01
    /// Seconds a tail counts at most: a delay that feeds all of itself back never ends.
    private static let longestTail = 60.0

    /// An effect and the renderer it has in the plan. A renderer whose effect has left rings on with the parameters it
    /// had.
    private struct Link {
        let effect: InsertedEffect
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

    weak var core: EngineCore?
    private var effects: [InsertedEffect] = []
    /// The row in the plan; nil before it is in one.
    private var links: [Link]?
    private var fade: Fade?

    init(core: EngineCore? = nil) { self.core = core }

    deinit {
        for effect in effects { effect.release() }
    }

    func record(_ error: any Error) { core?.record(error) }

    // MARK: The client's side

    var units: [AVAudioUnit] { effects.map(\.unit) }

    /// Takes all of the units, or records what is wrong with one and leaves the chain as it was.
    func set(_ units: [AVAudioUnit], at place: String) {
        var next: [InsertedEffect] = []
        do {
            for unit in units {
                guard !next.contains(where: { $0.unit === unit }) else {
                    throw PHASEError(
                        .invalidObject, "the same \(type(of: unit)) stands twice in the chain; make another one.")
                }
                next.append(try effects.first { $0.unit === unit } ?? InsertedEffect(unit, chain: self))
            }
        } catch {
            for effect in next where !isLink(effect) { effect.release() }
            core?.record(
                PHASEError(
                    .invalidObject, "The insert effects of \(place) stay as they were: \(error.localizedDescription)"))
            return
        }
        let gone = effects.filter { effect in !next.contains { $0 === effect } }
        effects = next
        for effect in gone { effect.release() }
        core?.planChanged()
    }

    private func isLink(_ effect: InsertedEffect) -> Bool { effects.contains { $0 === effect } }

    /// Frames it goes on sounding after its input has fallen silent.
    func tail(sampleRate: Double) -> Int64 {
        let seconds = effects.reduce(0.0) { $0 + $1.tailTime(sampleRate: sampleRate) }
        return Int64(seconds.clamped(0, Self.longestTail) * sampleRate)
    }

    // MARK: The plan's side

    /// Nothing of it is in a plan any more: the next one begins without a fade, and with effects that remember nothing.
    func halt() {
        (links, fade) = (nil, nil)
        for effect in effects { effect.forget() }
    }

    /// What it belongs to has ended: the units are free.
    func dismiss() {
        for effect in effects { effect.release() }
        (effects, links, fade) = ([], nil, nil)
    }

    /// Brings the row that sounds up to what the client wants; during a fade that waits.
    /// - Returns: whether there is anything for the sound to pass.
    func renew(channels: Int, sampleRate: Double, at position: Int64) -> Bool {
        if let fade, fade.end <= position { self.fade = nil }
        guard fade == nil else { return true }
        let old = links ?? []
        let common = zip(old, effects).prefix { $0.effect === $1 }.count
        if links != nil, common < max(old.count, effects.count) {
            let frames = Int(Self.fadeTime * sampleRate)
            fade = Fade(
                common: common, old: old[common...],
                box: RendererBox(CrossFadeRenderer(channelCount: channels, frames: frames)),
                end: position + Int64(frames))
        }
        links =
            old[..<common]
            + effects[common...].map { effect in
                // It cannot run in two places: in the old row it goes on as it is, in the new one it begins.
                if old.contains(where: { $0.effect === effect }) { effect.forget() }
                let (renderer, owner) = effect.renderer(sampleRate: sampleRate, channels: channels)
                return Link(effect: effect, renderer: renderer, owner: owner)
            }
        return fade != nil || !effects.isEmpty
    }

    /// Whether a fade is under way.
    var isFading: Bool { fade != nil }

    /// Whether a fade has come to its end, and the old row may go.
    func hasFaded(at position: Int64) -> Bool { fade.map { $0.end <= position } ?? false }

    /// Leads sound from `sources` through the row to `targets`; directly if it is empty.
    func lead(_ sources: [Graph.Port], to targets: [Graph.Port], in graph: inout Graph, channels: Int) {
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
                link.effect.name, link.renderer, owner: link.owner, inputs: [channels], outputs: [channels])
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
