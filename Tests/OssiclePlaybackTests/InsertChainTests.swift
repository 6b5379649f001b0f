import OssicleRender
import Testing

@testable import OssiclePlayback

@Suite struct InsertChainTests {
    @Test("A unit that stands twice, or that another chain has, is refused, and the chain stays as it was")
    func refusal() throws {
        let (chain, other) = (InsertChain(), InsertChain())
        let (first, second, taken) = (Unit("first"), Unit("second"), Unit("taken"))
        try chain.set([first])
        try other.set([taken])
        #expect { try chain.set([second, first, second]) } throws: { error in
            (error as? InsertError)?.kind == .duplicate && (error as? InsertError)?.object == "second"
        }
        #expect(throws: Unit.Refusal.self) { try chain.set([second, taken]) }
        #expect(chain.units.map(\.title) == ["first"] && first.chain === chain)
        #expect(second.chain == nil && taken.chain === other)
    }

    @Test("Units that leave are free, and those that stay are not renewed")
    func leaving() throws {
        let chain = InsertChain()
        let (first, second) = (Unit("first"), Unit("second"))
        try chain.set([first, second])
        try chain.set([second])
        #expect(first.chain == nil && second.chain === chain)
        #expect((first.joins, second.joins) == (1, 1))
        chain.dismiss()
        #expect(second.chain == nil && chain.units.isEmpty)
    }

    @Test("A chain that is destroyed frees its units")
    func destruction() throws {
        let unit = Unit("unit")
        do {
            let chain = InsertChain()
            try chain.set([unit])
            #expect(unit.chain != nil)
        }
        #expect(unit.chain == nil && unit.isFree)
    }

    @Test(
        "The tail is the sum of the units' tails, a minute at most",
        arguments: [(0.25, 0.5, 36_000), (59, 70, 2_880_000)])
    func tail(first: Double, second: Double, frames: Int64) throws {
        let chain = InsertChain()
        try chain.set([Unit("first", tail: first), Unit("second", tail: second)])
        #expect(chain.tail(sampleRate: 48_000) == frames)
    }

    @Test("A changed chain that sounds fades for 10 ms; one that is in no plan does not")
    func fading() throws {
        let chain = InsertChain()
        #expect(!chain.renew(channels: 2, sampleRate: 48_000, at: 0) && !chain.isFading)
        try chain.set([Unit("unit")])
        #expect(chain.renew(channels: 2, sampleRate: 48_000, at: 1000) && chain.isFading)
        #expect(!chain.hasFaded(at: 1479) && chain.hasFaded(at: 1480))
        #expect(chain.renew(channels: 2, sampleRate: 48_000, at: 1480) && !chain.isFading)
        chain.halt()
        try chain.set([])
        #expect(!chain.renew(channels: 2, sampleRate: 48_000, at: 2000) && !chain.isFading)
    }
}

/// An effect that passes sound through.
private final class Unit: InsertableUnit {
    struct Refusal: Error {}

    let title: String
    private let tail: Double
    private(set) weak var chain: InsertChain?
    private(set) var joins = 0
    private(set) var isFree = true
    private let renderer = RendererBox(BlockRenderer { _, _ in })

    init(_ title: String, tail: Double = 0) {
        self.title = title
        self.tail = tail
    }

    func join(_ chain: InsertChain) throws {
        if !isFree { throw Refusal() }
        self.chain = chain
        joins += 1
        isFree = false
    }

    func leave(_ chain: InsertChain?) {
        if self.chain !== chain { return }
        self.chain = nil
        isFree = true
    }

    func insertedRenderer(sampleRate: Double, channels: Int) -> (RendererReference, AnyObject) {
        (.block(renderer.pointer), renderer)
    }

    func forgetRenderer() {}
    func insertedTail(sampleRate: Double) -> Double { tail }
    var insertState: [UnitChange] { [] }
    func applyInsertState(_ changes: [UnitChange]) {}
}
