import Testing

@testable import OssicleSoundEvents

@Suite struct SoundingTests {
    @Test func `a node sounds if a leaf at or below it plays`() throws {
        func node(_ kind: EventTree.Kind, _ children: [Int] = []) -> EventTree.Node {
            EventTree.Node(identifier: "n", definition: 0, kind: kind, children: children)
        }
        let leaf = EventTree.Kind.sampler(SamplerLeaf(asset: "a", generator: Generator(mixer: 0)))
        let nodes = [
            node(.sequence(overlap: 0), [1, 3, 6]), node(.container, [2]), node(leaf),
            node(.sequence(overlap: 1), [4, 5]), node(leaf), node(leaf),
            node(.container),
        ]
        let tree = try #require(EventTree(nodes: nodes, mixers: [], parameters: []))
        #expect(tree.nodesThatSound([Activation(node: 5)]) == [true, false, false, true, false, true, false])
        #expect(tree.nodesThatSound([]).allSatisfy { !$0 })
        #expect(tree.nodesThatSound(tree.leaves.map(Activation.init)) == [true, true, true, true, true, true, false])
    }
}
