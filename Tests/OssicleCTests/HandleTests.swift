import Foundation
import OssicleC
import OssicleHeader
import Testing

/// An error of C's with its texts, freed.
struct Refusal {
    let code: Int
    let message: String
    let object, finding, rule, cure, path: String?

    init(_ error: OpaquePointer?) {
        func text(_ part: Int) -> String? { ossicle_error_text(error, Int32(part)).map { String(cString: $0) } }
        code = Int(ossicle_error_code(error))
        message = text(OSSICLE_ERROR_MESSAGE) ?? ""
        (object, finding) = (text(OSSICLE_ERROR_OBJECT), text(OSSICLE_ERROR_FINDING))
        (rule, cure, path) = (text(OSSICLE_ERROR_RULE), text(OSSICLE_ERROR_CURE), text(OSSICLE_ERROR_PATH))
        ossicle_error_free(error)
    }
}

/// Calls `body` with places for a handle and an error; what it refuses, or the handle.
func made(
    _ body: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutablePointer<OpaquePointer?>) -> Int32
) -> (handle: OpaquePointer?, code: Int32, refusal: Refusal?) {
    // What is in the places before must not matter.
    var (handle, error) = (OpaquePointer(bitPattern: 1), OpaquePointer(bitPattern: 2))
    let code = body(&handle, &error)
    return (handle, code, error == nil ? nil : Refusal(error))
}

/// A box of brick.
func box() -> OpaquePointer? {
    let name = UnsafePointer(strdup("brick"))
    defer { free(UnsafeMutablePointer(mutating: name)) }
    return made { ossicle_room_box([6, 3, 5], [name], 1, $0, $1) }.handle
}

@Suite("Handles and errors in C")
struct HandleTests {
    @Test("the version is that of the release, and the interface has the header's number")
    func version() {
        #expect(ossicle_abi() == OSSICLE_ABI)
        #expect(String(cString: ossicle_version()).split(separator: ".").count == 3)
        #expect(String(cString: ossicle_materials()).contains("\"brick\""))
    }

    @Test("NULL, an address and a handle of another kind are refused by every function that takes a handle")
    func noHandles() {
        let room = box()
        defer { ossicle_room_free(room) }
        for handle in [nil, OpaquePointer(bitPattern: 0xDEAD_BEEF), room] {
            let rendered = made { ossicle_render(handle, nil, $0, $1) }
            #expect(rendered.code == OSSICLE_BAD_HANDLE && rendered.handle == nil)
            #expect(rendered.refusal?.object == "scene" && rendered.refusal?.code == OSSICLE_BAD_HANDLE)
            #expect(ossicle_scene_facts(handle) == nil && ossicle_sound_facts(handle) == nil)
            #expect(ossicle_sound_frames(handle) == 0 && ossicle_sound_channels(handle) == 0)
            #expect(ossicle_sound_rate(handle) == 0 && ossicle_sound_samples(handle, 0) == nil)
            #expect(ossicle_sound_sha256(handle) == nil && ossicle_error_text(handle, 0) == nil)
            #expect(ossicle_error_code(handle) == OSSICLE_BAD_HANDLE)
            #expect(ossicle_sound_copy(handle, nil, 0, 0, nil) == OSSICLE_BAD_HANDLE)
            #expect(ossicle_sound_write(handle, "a.wav", 0, nil) == OSSICLE_BAD_HANDLE)
            ossicle_sound_free(handle)
            ossicle_scene_free(handle)
            ossicle_error_free(handle)
        }
        #expect(ossicle_room_facts(room) != nil, "it was freed as something else")
    }

    @Test("a handle that was freed is refused, and freeing it again does nothing")
    func freed() {
        let room = box()
        #expect(room != nil)
        ossicle_room_free(room)
        ossicle_room_free(room)
        let found = made { ossicle_respond(room, nil, $0, $1) }
        #expect(found.code == OSSICLE_BAD_HANDLE && found.refusal?.finding?.contains("freed") == true)
    }

    @Test("without a place for the result or the error nothing is written and nothing traps")
    func noPlaces() {
        var error: OpaquePointer?
        #expect("brick".withCString { ossicle_room_box([6, 3, 5], [$0], 1, nil, &error) } == OSSICLE_BAD_ARGUMENT)
        #expect(Refusal(error).object == "room")
        #expect(ossicle_room_box(nil, nil, 0, nil, nil) == OSSICLE_BAD_ARGUMENT)
        ossicle_render_options_init(nil)
        ossicle_room_options_init(nil)
        ossicle_response_options_init(nil)
    }

    @Test("parts that an error does not have are NULL, also beyond the last one")
    func parts() {
        var error: OpaquePointer?
        #expect(ossicle_scene_open("none.gltf", nil, nil, &error) == OSSICLE_BAD_ARGUMENT)
        #expect(ossicle_error_text(error, Int32(OSSICLE_ERROR_PATH)) == nil)
        for part: Int32 in [-1, 6, .max, .min] { #expect(ossicle_error_text(error, part) == nil) }
        ossicle_error_free(error)
    }
}
