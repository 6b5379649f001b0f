import CPluginHost
import OssicleReaders

/// A property of a plug-in that messages set (`patch:writable`).
package struct PluginProperty: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case real, integer, toggled
        /// The path of a file.
        case path
        case text, uri
    }

    package var uri: String
    /// Its label, or the end of its URI.
    package var name: String
    package var kind: Kind
    /// Range and default; of what the bundle leaves out, 0 … 1 and the least value. Always finite and in order.
    package var minimum: Float
    package var maximum: Float
    package var initial: Float

    init?(_ reply: inout Reply) {
        guard let uri = reply.text(), let label = reply.text(), let number = reply.word(), let least = reply.word(),
            let greatest = reply.word(), let initial = reply.word()
        else { return nil }
        switch Int(number) {
        case Int(OSSICLE_PROPERTY_REAL): kind = .real
        case Int(OSSICLE_PROPERTY_INTEGER): kind = .integer
        case Int(OSSICLE_PROPERTY_TOGGLED): kind = .toggled
        case Int(OSSICLE_PROPERTY_PATH): kind = .path
        case Int(OSSICLE_PROPERTY_TEXT): kind = .text
        case Int(OSSICLE_PROPERTY_URI): kind = .uri
        default: return nil
        }
        self.uri = uri
        let end = uri.split { $0 == "#" || $0 == "/" || $0 == ":" }.last.map(String.init) ?? uri
        name = label.isEmpty ? end : label
        (minimum, maximum, self.initial) = PluginPort.range(
            Float(bitPattern: least), Float(bitPattern: greatest), Float(bitPattern: initial), [])
    }
}
