import OssicleInspection

/// What the page is sent, one JSON object a message.
struct ViewMessage<Value: Encodable>: Encodable {
    let type: ViewMessageType
    let engine: Int?
    let value: Value
}

enum ViewMessageType: String, Encodable {
    /// An `EngineList`, when one comes or goes.
    case engines
    /// An `EngineSnapshot` without its paths, with every look.
    case frame
    /// `InspectedScene.paths`, when they have changed, and twice a second.
    case paths
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
