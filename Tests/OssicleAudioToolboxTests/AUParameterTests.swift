import Foundation
import Testing
@testable import OssicleAudioToolbox

@Suite("AUParameter") struct AUParameterTests {
    @Test(
        "A value stays in its range, and NaN changes nothing",
        arguments: [(5, 5), (11, 10), (-.infinity, -10), (.infinity, 10)] as [(AUValue, AUValue)])
    func clamping(set: AUValue, expected: AUValue) {
        let parameter = makeParameter("p")
        parameter.value = set
        #expect(parameter.value == expected)
        parameter.value = .nan
        #expect(parameter.value == expected)
    }

    @Test("A fresh value is 0 or the limit next to it; limits are put in order")
    func start() {
        #expect(makeParameter("p").value == 0)
        #expect(makeParameter("p", min: 20, max: 200).value == 20)
        let reversed = makeParameter("p", min: 3, max: -3)
        #expect(reversed.minValue == -3 && reversed.maxValue == 3)
        let strange = makeParameter("p", min: .nan, max: 1)
        #expect(strange.minValue == 0 && strange.maxValue == 1)
    }

    @Test("The unit hears of a change at once, on the thread that makes it, with the clamped value")
    func implementor() {
        let parameter = makeParameter("p"), other = makeParameter("q")
        let tree = AUParameterTree.createTree(withChildren: [parameter, other])
        var heard: [AUValue] = []
        tree.implementorValueObserver = { heard.append($0 === parameter ? $1 : .nan) }
        parameter.value = 3
        parameter.value = 30
        #expect(heard == [3, 10])
        other.implementorValueObserver = { heard.append($1 * 100) }
        other.value = 1
        #expect(heard == [3, 10, 100])
    }

    @Test("A value provider replaces the stored value")
    func provider() {
        let parameter = makeParameter("p")
        parameter.implementorValueProvider = { _ in 7 }
        parameter.value = 2
        #expect(parameter.value == 7)
        parameter.implementorValueProvider = { _ in .nan }
        #expect(parameter.value == 2)
    }

    @Test("Values are written and read as numbers or by their names")
    func text() {
        let number = makeParameter("p")
        var value: AUValue = 0.125
        #expect(number.string(fromValue: &value) == "0.125" && number.string(fromValue: nil) == "0")
        value = 1e20
        #expect(number.string(fromValue: &value) == "1e+20")
        #expect(
            number.value(from: " 2.5 dB") == 2.5 && number.value(from: "-3e0") == -3 && number.value(from: "99") == 10)
        number.value = 4
        #expect(number.value(from: "loud") == 4 && number.value(from: "") == 4)
        let named = makeParameter("n", min: 1, max: 3, valueStrings: ["Low", "Mid", "High"])
        #expect(named.value(from: "mid") == 2 && named.string(fromValue: nil) == "Low")
        value = 3
        #expect(named.string(fromValue: &value) == "High")
        value = .nan
        #expect(named.string(fromValue: &value) == "nan")
    }

    @Test("The unit's own words win")
    func ownText() {
        let parameter = makeParameter("cutoff frequency")
        let tree = AUParameterTree.createTree(withChildren: [parameter])
        #expect(parameter.displayName(withLength: 6) == "Cutoff" && parameter.displayName(withLength: -1) == "")
        tree.implementorStringFromValueCallback = { "<\($1?.pointee ?? $0.value)>" }
        tree.implementorValueFromStringCallback = { AUValue($1.count) + $0.minValue }
        tree.implementorDisplayNameWithLengthCallback = { _, length in String("CtffFrqncy".prefix(length)) }
        #expect(
            parameter.string(fromValue: nil) == "<0.0>" && parameter.value(from: "abc") == -7
                && parameter.displayName(withLength: 4) == "Ctff")
    }
}
