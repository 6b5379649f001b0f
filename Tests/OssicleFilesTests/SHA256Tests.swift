import Testing
import OssicleFiles

@Suite("SHA-256")
struct SHA256Tests {
    // FIPS 180-4's examples, and lengths on either side of the padding's block boundary checked with sha256sum.
    @Test(
        "gives the standard's digests",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func digests(message: String, digest: String) {
        #expect(SHA256.hex(of: Array(message.utf8)) == digest)
    }

    @Test(
        "pads a message of any length",
        arguments: [
            (55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
            (56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
            (63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"),
            (64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
            (1000, "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"),
        ])
    func padding(length: Int, digest: String) {
        #expect(SHA256.hex(of: [UInt8](repeating: 0x61, count: length)) == digest)
    }

    @Test(
        "is the same for a message in pieces, with and without instructions of its own",
        arguments: [1, 63, 64, 65, 200, 1000], [false, true])
    func pieces(length: Int, isPlain: Bool) {
        let message = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        var hash = SHA256(isPlain: isPlain)
        message.withUnsafeBufferPointer { message in
            for start in stride(from: 0, to: message.count, by: length) {
                hash.update(UnsafeBufferPointer(rebasing: message[start..<min(start + length, message.count)]))
            }
        }
        // By sha256sum.
        #expect(hash.finish() == "1f2bc6c47f89c05cbac0118a6ec2622527acf1b75ce2020d176f49cf0ce201cc")
    }
}
