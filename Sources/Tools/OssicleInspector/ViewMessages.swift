import Foundation
import OssicleInspection
import OssicleWebServer

/// What the page is sent, one JSON object a message.
struct ViewMessage<Value: Encodable>: Encodable {
    let type: ViewMessageType
    let engine: Int?
    let value: Value

    /// Text; or, where the value holds packed numbers, the number of bytes of the JSON that follows (32 bits, the
    /// lowest byte first), the JSON with blanks up to a multiple of four, and the numbers as 32-bit floats.
    func send(by server: LiveServer, to clients: [LiveServer.ClientID], _ urgency: LiveServer.Urgency) throws {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "∞", negativeInfinity: "-∞", nan: "NaN")
        let beside = NumbersBeside()
        encoder.userInfo[NumbersBeside.key] = beside
        var json = [UInt8](try encoder.encode(self))
        guard !beside.values.isEmpty else {
            for client in clients { server.send(json, to: client, urgency) }
            return
        }
        json += repeatElement(UInt8(ascii: " "), count: (4 - json.count % 4) % 4)
        var payload: [UInt8] = []
        payload.reserveCapacity(4 + json.count + 4 * beside.values.count)
        withUnsafeBytes(of: UInt32(json.count).littleEndian) { payload += $0 }
        payload += json
        beside.values.withLittleEndianBytes { payload += $0 }
        for client in clients { server.send(bytes: payload, to: client, urgency) }
    }
}

enum ViewMessageType: String, Encodable {
    /// An `EngineList`, when one comes or goes.
    case engines
    /// `FrameRows.Addition`, when there are words that pages do not have.
    case words
    /// `FrameRows.Frame`, with every look.
    case frame
    /// `InspectedScene.paths`, when they have changed, and twice a second.
    case paths
    /// `InspectedScene.rayCourses`, as `paths`.
    case rays
    /// An `InspectedGeometry`, when it has changed.
    case geometry
    /// An `InspectedSound`, with every look.
    case sound
    /// The `InspectedDetail` of what is selected; null where that is gone.
    case detail
    /// Why a command was not carried out.
    case refused
}

/// The first message.
struct EngineList: Encodable {
    let schema: Int
    /// Looks a second.
    let rate: Int
    let engines: [Int]
}

/// What the page sends.
struct ViewRequest: Decodable {
    let engine: Int?
    let command: InspectorCommand?
    let select: Selection?
    /// A frame has been received.
    let seen: Int?
}

/// What is looked at in full; no target for nothing.
struct Selection: Decodable, Hashable {
    let engine: Int
    let target: InspectedTarget?
}
