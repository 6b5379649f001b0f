import Testing
@testable import OssicleScenes

@Test func aSceneFileErrorSaysWhatItWasGiven() {
    #expect(
        "\(SceneFileError("a.obj", "is empty", rule: "it is not", cure: "fill it"))"
            == "Scene “a.obj”: is empty; it is not: fill it.")
}
