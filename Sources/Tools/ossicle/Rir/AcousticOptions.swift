import ArgumentParser
import OssicleAcoustics
import OssicleCore
import OssicleResponses

/// How a scene is computed, for all commands that compute one.
struct AcousticOptions: ParsableArguments {
    @OptionGroup var scene: SceneOptions

    @Option(help: "How much work to do: low, medium, high or reference; high for rir, medium for map.")
    var quality: AcousticQuality.Name?

    @Option(parsing: .unconditional, help: ArgumentHelp("Rays, in place of the quality's.", valueName: "count"))
    var rays: Int?

    @Option(parsing: .unconditional, help: "The seed of every random choice.")
    var seed: UInt64 = 1

    @Option(parsing: .unconditional, help: ArgumentHelp("Of the air, in °C.", valueName: "degrees"))
    var temperature = 20.0

    @Option(parsing: .unconditional, help: ArgumentHelp("Relative humidity of the air, in %.", valueName: "percent"))
    var humidity = 50.0

    @OptionGroup var work: WorkOptions

    func validate() throws {
        try WorkOptions.check("--rays", rays, in: 0...16_777_216)
        try WorkOptions.check("--temperature", temperature, in: -80...80)
        try WorkOptions.check("--humidity", humidity, in: 0...100)
    }

    /// - Parameters:
    ///   - name: of the quality where none is given. - order: reflections in a row; nil for the quality's.
    func quality(else name: AcousticQuality.Name, order: Int? = nil) -> AcousticQuality {
        var quality = (quality ?? name).quality
        quality.replace(rays: rays, order: order)
        return quality
    }

    /// What distinguishes a result from others of the same places.
    func details(else name: AcousticQuality.Name) -> String { "\((quality ?? name).rawValue) quality, seed \(seed)" }

    /// The scene in its medium, after its warnings.
    func open() throws -> (scene: RirScene, tracer: SceneTracer) {
        let scene = try scene.load()
        for warning in scene.warnings { Self.warn(warning) }
        let medium = Medium(temperature: temperature, humidity: humidity)
        return (scene, SceneTracer(AcousticScene(occluders: scene.occluders, medium: medium)))
    }

    static func warn(_ sentence: String) { StandardError.write("Warning: \(sentence)\n") }
}

/// How much work goes into the paths and rays, on the command line.
extension AcousticQuality.Name: ExpressibleByArgument {}
