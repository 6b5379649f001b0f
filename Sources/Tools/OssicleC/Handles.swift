import OssicleHeader
import OssicleProperties

/// The objects behind handles of C.
enum Handles {
    private static let table = HandleTable<AnyObject>()

    static func add(_ object: AnyObject) -> OpaquePointer { table.add(object) }

    /// - Parameter name: what the message calls it: “scene”.
    static func object<Object: AnyObject>(
        _ handle: OpaquePointer?, _ type: Object.Type, _ name: String
    ) throws -> Object {
        guard let object = handle.flatMap({ table.object(of: $0) }) as? Object else {
            throw Fault(
                name, handle == nil ? "is NULL" : "is a handle that was freed, or of another kind",
                rule: "a handle of that kind is needed",
                cure: "give one that a function has made and that is not freed",
                code: OSSICLE_BAD_HANDLE)
        }
        return object
    }

    /// Does nothing for a handle of another kind.
    static func free<Object: AnyObject>(_ handle: OpaquePointer?, _ type: Object.Type) {
        guard let handle, table.object(of: handle) is Object else { return }
        table.remove(handle)
    }
}

public typealias ErrorPlace = UnsafeMutablePointer<OpaquePointer?>
public typealias HandlePlace = UnsafeMutablePointer<OpaquePointer?>

/// The body of a function that can fail: what it throws goes to `error`, and its code is the result.
func call(_ error: ErrorPlace?, _ body: () throws -> Void) -> Int32 {
    error?.pointee = nil
    do {
        try body()
        return Int32(OSSICLE_OK)
    } catch let thrown {
        let fault = Fault(thrown)
        error?.pointee = Handles.add(InterfaceError(fault))
        return fault.code
    }
}

/// The same for one that makes an object, whose handle goes to `place`.
func make(_ place: HandlePlace?, _ error: ErrorPlace?, _ name: String, _ body: () throws -> AnyObject) -> Int32 {
    place?.pointee = nil
    return call(error) {
        guard let place else {
            throw Fault(name, "is NULL", rule: "what is made goes there", cure: "give a place for a handle")
        }
        place.pointee = Handles.add(try body())
    }
}
