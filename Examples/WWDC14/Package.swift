// swift-tools-version:6.2
import PackageDescription

// Clients of AVAudioEngine as anyone would write them, after the uses that WWDC14 session 502 promised.
// SWIFT_MODE=5 or 6 picks the language mode of everything in here.
let mode: SwiftLanguageMode = Context.environment["SWIFT_MODE"] == "5" ? .v5 : .v6

func example(_ name: String) -> Target {
    .executableTarget(name: name, dependencies: ["Workbench", .product(name: "AVFoundation", package: "Ossicle")])
}

let package = Package(
    name: "WWDC14",
    products: [.library(name: "Workbench", targets: ["Workbench"])],
    traits: ["FFmpeg", .default(enabledTraits: [])],
    dependencies: [.package(name: "Ossicle", path: "../..", traits: [.defaults, .trait(name: "FFmpeg", condition: .when(traits: ["FFmpeg"]))])],
    targets: [
        .target(name: "Workbench", dependencies: [.product(name: "AVFoundation", package: "Ossicle")]),
        example("Karaoke"), example("StreamingPlayer"), example("Siren"), example("BallGame"), example("ChannelStrip"), example("Hall"),
    ],
    swiftLanguageModes: [mode]
)
