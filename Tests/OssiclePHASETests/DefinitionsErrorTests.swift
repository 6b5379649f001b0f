import PHASE
import Testing
@testable import OssiclePHASE

@Suite struct DefinitionsErrorTests {
    private func fail() throws {
        throw PHASEAssetError(
            .alreadyExists, object: "sound asset “drum”", value: "it is registered already",
            rule: "Identifiers are unique.", cure: "Unregister the first one.")
    }

    @Test("one code can be caught by its name")
    func byCode() {
        var caught = ""
        do { try fail() } catch PHASEAssetError.badParameters { caught = "bad" } catch PHASEAssetError.alreadyExists {
            caught = "exists"
        } catch {}
        #expect(caught == "exists")
    }

    @Test("all codes of a kind can be caught by type, also in a switch over the code")
    func byType() {
        var code: PHASEAssetError.Code?
        do { try fail() } catch let error as PHASEAssetError { code = error.code } catch {}
        #expect(code == .alreadyExists)
        do { try fail() } catch is PHASEError { Issue.record("another kind of error was taken for this one") } catch {}
    }

    @Test("it is an NSError with domain, code and a message that names object, value, rule and cure")
    func bridged() {
        do { try fail() } catch {
            let bridged = error as NSError
            #expect(bridged.domain == PHASEAssetErrorDomain && bridged.code == 1346920804)
            for part in ["“drum”", "registered already", "unique"] {
                #expect(error.localizedDescription.contains(part))
            }
            #expect(bridged.localizedDescription == error.localizedDescription)
            #expect(bridged.localizedRecoverySuggestion == "Unregister the first one.")
            #expect("\(error)".contains("Unregister"))
        }
    }

    @Test("codes match errors that come as NSError, and never another domain's")
    func foreign() {
        let same: any Error = NSError(domain: PHASESoundEventErrorDomain, code: PHASESoundEventError.notFound.rawValue)
        let other: any Error = NSError(domain: "elsewhere", code: PHASESoundEventError.notFound.rawValue)
        #expect(PHASESoundEventError.notFound ~= same)
        #expect(!(PHASESoundEventError.notFound ~= other) && !(PHASESoundEventError.badData ~= same))
        #expect(PHASEError.initializeFailed ~= PHASEError(.initializeFailed))
        #expect(PHASEError(.initializeFailed).localizedDescription == "PHASEErrorDomain.initializeFailed")
    }

    @Test(
        "catch let error as NSError matches every error of PHASE's, with its domain, code and texts",
        arguments: [
            PHASEError(.invalidObject, userInfo: [NSLocalizedDescriptionKey: "text"]),
            PHASEAssetError(.failedToLoad, userInfo: [NSLocalizedDescriptionKey: "text"]),
            PHASESoundEventError(.badData, userInfo: [NSLocalizedDescriptionKey: "text"]),
        ] as [any PHASEBridgedError])
    func caughtAsNSError(error: any PHASEBridgedError) {
        var caught: NSError?
        do { throw error } catch let error as NSError { caught = error } catch {}
        #expect(caught?.domain == type(of: error).errorDomain && caught?.code == error.errorCode)
        #expect(caught?.localizedDescription == "text")
    }

    @Test("what was caught as an NSError is still PHASE's error, and never another's")
    func backFromNSError() {
        let back: any Error = NSError(domain: PHASEAssetErrorDomain, code: PHASEAssetError.Code.alreadyExists.rawValue)
        #expect((back as? PHASEAssetError)?.code == .alreadyExists)
        #expect(!(back is PHASEError) && !(back is PHASESoundEventError))
        #expect(NSError(domain: PHASEAssetErrorDomain, code: 1) as any Error as? PHASEAssetError == nil)
    }

    @Test("errors of manual rendering are caught by name, by type and as the NSError of AVFAudio")
    func manualRendering() {
        func fail() throws { throw AVAudioEngineManualRenderingError.notRunning }
        var caught: [String] = []
        do { try fail() } catch AVAudioEngineManualRenderingError.notRunning { caught.append("name") } catch {}
        do { try fail() } catch let error as AVAudioEngineManualRenderingError { caught.append("\(error)") } catch {}
        do { try fail() } catch let error as NSError { caught.append("\(error.domain) \(error.code)") } catch {}
        do { try fail() } catch { caught.append("\((error as NSError).code)") }
        #expect(caught == ["name", "notRunning", "com.apple.coreaudio.avfaudio -80802", "-80802"])
    }
}
