import Testing
@testable import OssicleResponses

@Test func aResponseErrorSaysWhatItWasGiven() { #expect("\(ResponseError("No way."))" == "No way.") }
