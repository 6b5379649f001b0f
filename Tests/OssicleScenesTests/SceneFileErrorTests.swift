import Testing
@testable import OssicleScenes

@Test func aSceneFileErrorSaysWhatItWasGiven() {
    #expect("\(SceneFileError("Scene “a.obj”: empty."))" == "Scene “a.obj”: empty.")
}
