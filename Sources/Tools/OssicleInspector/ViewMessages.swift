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
        json.pad()
        let payload = [UInt8].joined(json, [beside.values[...]])
        for client in clients { server.send(bytes: payload, to: client, urgency) }
    }
}

/// What is sent with every look: rows of numbers, and where they are in a text that is written by hand, for an encoder
/// takes longer than all the rest.
struct FrameMessage {
    let engine: Int
    /// Seconds of engine time.
    let time: Double
    /// Of a scene.
    let rows: FrameRows.Frame?
    /// Of the output, with every second look: the page draws its spectrum and its waveform by turns.
    var sound: InspectedSound?

    /// Paths that go with a frame: `PathChanges.numbers`, or `PathChanges.Update.pairs`.
    struct Paths {
        let numbers: [Float]
        let areAll: Bool
    }

    /// As a `ViewMessage` with numbers.
    func payload(_ paths: Paths?) -> [UInt8] {
        var text = #"{"type":"frame","engine":\#(engine),"value":{"time":\#(time.brief)"#
        var parts: [ArraySlice<Float>] = []
        var end = 0
        func add(_ name: String, _ numbers: ArraySlice<Float>) {
            text += ",\"\(name)\":[\(end),\(numbers.count)]"
            parts.append(numbers)
            end += numbers.count
        }
        if let rows {
            add("sourceRows", rows.numbers[rows.sources])
            add("listenerRows", rows.numbers[rows.listeners])
            add("voiceRows", rows.numbers[rows.voices])
        }
        if let paths { add(paths.areAll ? "paths" : "pathChanges", paths.numbers[...]) }
        if let sound {
            text += #","sound":{"end":\#(sound.end),"sampleRate":\#(sound.sampleRate.brief)"#
            text += #","channels":\#(sound.channels)"#
            add("samples", sound.samples.values[...])
            text += "}"
        }
        text += "}}"
        var json = Array(text.utf8)
        json.pad()
        return .joined(json, parts)
    }
}

extension [UInt8] {
    /// Blanks up to a multiple of four.
    fileprivate mutating func pad() { self += repeatElement(UInt8(ascii: " "), count: (4 - count % 4) % 4) }

    /// The length of the text, the text, and the numbers.
    fileprivate static func joined(_ json: [UInt8], _ numbers: [ArraySlice<Float>]) -> [UInt8] {
        var payload: [UInt8] = []
        payload.reserveCapacity(4 + json.count + 4 * numbers.reduce(0) { $0 + $1.count })
        Swift.withUnsafeBytes(of: UInt32(json.count).littleEndian) { payload += $0 }
        payload += json
        for part in numbers { part.withLittleEndianBytes { payload += $0 } }
        return payload
    }
}

enum ViewMessageType: String, Encodable {
    /// An `EngineList`, when one comes or goes.
    case engines
    /// `FrameRows.Addition`, when there are words that pages do not have.
    case words
    /// An `EngineSnapshot` without what is in frames, ahead of the first frame, and as often as the page writes words.
    case state
    /// A `FrameMessage`, with every look.
    case frame
    /// `InspectedScene.rayCourses`, when they have changed.
    case rays
    /// An `InspectedGeometry`, when it has changed.
    case geometry
    /// The `InspectedDetail` of what is selected; null where that is gone.
    case detail
    /// `Pace.Counts`, as often as words.
    case pace
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
