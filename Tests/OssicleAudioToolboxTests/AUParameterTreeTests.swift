import Foundation
import Testing
@testable import OssicleAudioToolbox

@Suite("AUParameterTree") struct AUParameterTreeTests {
    let cutoff = makeParameter("cutoff", at: 1)
    let gain = makeParameter("gain", at: 7)
    let tree: AUParameterTree

    init() {
        let group = AUParameterTree.createGroup(withIdentifier: "filter", name: "Filter", children: [cutoff])
        tree = AUParameterTree.createTree(withChildren: [group, gain])
    }

    @Test("A parameter is found by address, by number and by key path")
    func lookUp() {
        #expect(tree.parameter(withAddress: 1) === cutoff && tree.parameter(withAddress: 7) === gain)
        #expect(tree.parameter(withID: 7, scope: kAudioUnitScope_Global, element: 0) === gain)
        #expect(tree.value(forKeyPath: "filter.cutoff") as? AUParameter === cutoff)
        #expect(tree.value(forKey: "gain") as? AUParameter === gain)
        #expect(tree.allParameters == [cutoff, gain])
    }

    @Test("What is not there is not found")
    func nothing() {
        #expect(tree.parameter(withAddress: 2) == nil)
        #expect(tree.parameter(withID: 7, scope: kAudioUnitScope_Input, element: 0) == nil)
        #expect(tree.parameter(withID: 7, scope: .max, element: .max) == nil)
        for path in ["", ".", "filter.gain", "gain.cutoff", "nothing.at.all"] {
            #expect(tree.value(forKeyPath: path) == nil)
        }
    }

    @Test("A key path joins the identifiers below the root")
    func keyPaths() {
        #expect(cutoff.keyPath == "filter.cutoff" && gain.keyPath == "gain" && tree.keyPath == "")
    }

    @Test("A template's copies have addresses of their own and values of their own")
    func templates() throws {
        let nested = AUParameterTree.createGroup(
            withIdentifier: "deep", name: "Deep", children: [makeParameter("b", at: 1)])
        let template = AUParameterTree.createGroupTemplate([makeParameter("a", at: 0), nested])
        let groups = [UInt64(0), 100].map {
            AUParameterTree.createGroup(
                fromTemplate: template, identifier: "voice\($0)", name: "Voice", addressOffset: $0)
        }
        let tree = AUParameterTree.createTree(withChildren: groups)
        #expect(tree.allParameters.map(\.address) == [0, 1, 100, 101])
        #expect(tree.allParameters.last?.keyPath == "voice100.deep.b")
        let first = try #require(tree.parameter(withAddress: 0)),
            second = try #require(tree.parameter(withAddress: 100))
        first.value = 5
        #expect(first.value == 5 && second.value == 0)
    }

    @Test("Of two parameters at one address the first is found")
    func sameAddress() {
        let pair = [makeParameter("first", at: 3), makeParameter("second", at: 3)]
        #expect(AUParameterTree.createTree(withChildren: pair).parameter(withAddress: 3) === pair[0])
    }

    @Test("A tree comes back from an archive with names, ranges and values")
    func archive() throws {
        gain.value = 2.5
        let data = try NSKeyedArchiver.archivedData(withRootObject: tree, requiringSecureCoding: true)
        let copy = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: AUParameterTree.self, from: data))
        #expect(copy.allParameters.map(\.keyPath) == ["filter.cutoff", "gain"])
        let restored = try #require(copy.parameter(withAddress: 7))
        #expect(
            restored.value == 2.5 && restored.minValue == -10 && restored.maxValue == 10 && restored.flags == gain.flags
        )
    }
}
