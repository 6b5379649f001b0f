import OssicleCore

extension MaterialLibrary {
    /// Random-incidence absorption, scattering and transmission loss in dB at 125 Hz … 8 kHz; the end values hold
    /// outwards.
    ///
    /// Absorption: Vorländer, *Auralization* (2008), appendix; Barron, *Industrial Noise Control and Acoustics* (2003),
    /// appendix D; Egan, *Architectural Acoustics*; cardboard by mass law plus dissipation. Loss: measured partitions
    /// of
    /// *Introduction to Acoustics*, table 11.4, else the field-incidence mass law. Scattering: ½√(d f/c) of the
    /// relief's depth d, within 0.05…0.99 (the estimate of the BRAS benchmark).
    package static let materials: [AcousticMaterial] = [
        // unglazed brick wall, 100 mm
        material(
            "brick", thickness: 0.1,
            absorption: [0.03, 0.03, 0.03, 0.04, 0.05, 0.07, 0.07],
            scattering: [0.05, 0.05, 0.06, 0.085, 0.121, 0.171, 0.241],
            loss: [32, 34, 40, 47, 55, 61, 65]),
        // poured concrete, smooth, unpainted; 200 mm slab
        material(
            "concrete", thickness: 0.2,
            absorption: [0.01, 0.01, 0.02, 0.02, 0.02, 0.05, 0.05],
            scattering: [0.05, 0.05, 0.05, 0.054, 0.076, 0.108, 0.153],
            loss: [32, 38, 47, 52, 57, 63, 67]),
        // single-wall corrugated board, 4 mm
        material(
            "cardboard", thickness: 0.004,
            absorption: [0.86, 0.67, 0.43, 0.3, 0.23, 0.21, 0.2],
            scattering: [0.05, 0.05, 0.05, 0.054, 0.076, 0.108, 0.153],
            loss: [0.7, 2.0, 4.9, 9.1, 14.4, 20.1, 26.1]),
        // single pane, 3 mm
        material(
            "glass", thickness: 0.003,
            absorption: [0.08, 0.04, 0.03, 0.03, 0.02, 0.02, 0.02],
            scattering: [0.05, 0.05, 0.05, 0.05, 0.05, 0.054, 0.076],
            loss: [18, 21, 26, 31, 33, 22, 32]),
        // 13 mm gypsum board both sides of wood studs
        material(
            "drywall", thickness: 0.115,
            absorption: [0.29, 0.1, 0.05, 0.04, 0.07, 0.09, 0.09],
            scattering: [0.05, 0.05, 0.05, 0.05, 0.054, 0.076, 0.108],
            loss: [17, 31, 33, 40, 38, 36, 40]),
        // 16 mm boarding on studs; solid 44 mm door for transmission
        material(
            "wood", thickness: 0.044,
            absorption: [0.18, 0.12, 0.1, 0.09, 0.08, 0.07, 0.07],
            scattering: [0.05, 0.05, 0.05, 0.06, 0.085, 0.121, 0.171],
            loss: [29, 31, 31, 31, 39, 43, 47]),
        // painted brick
        material(
            "brick_painted", thickness: 0.1,
            absorption: [0.01, 0.01, 0.02, 0.02, 0.02, 0.03, 0.03],
            scattering: [0.05, 0.05, 0.05, 0.06, 0.085, 0.121, 0.171],
            loss: [32, 34, 40, 47, 55, 61, 65]),
        // coarse concrete block, unpainted
        material(
            "concrete_block_coarse", thickness: 0.2,
            absorption: [0.36, 0.44, 0.31, 0.29, 0.39, 0.25, 0.25],
            scattering: [0.05, 0.052, 0.074, 0.105, 0.148, 0.209, 0.296],
            loss: [36, 44, 50, 54, 58, 56, 60]),
        // painted concrete block
        material(
            "concrete_block_painted", thickness: 0.2,
            absorption: [0.1, 0.05, 0.06, 0.07, 0.09, 0.08, 0.08],
            scattering: [0.05, 0.05, 0.05, 0.06, 0.085, 0.121, 0.171],
            loss: [36, 44, 50, 54, 58, 56, 60]),
        // gypsum or lime plaster on brick
        material(
            "plaster_on_masonry", thickness: 0.12,
            absorption: [0.013, 0.015, 0.02, 0.03, 0.04, 0.05, 0.05],
            scattering: [0.05, 0.05, 0.05, 0.05, 0.054, 0.076, 0.108],
            loss: [32, 34, 40, 47, 55, 61, 65]),
        // marble or glazed tile
        material(
            "marble_tile", thickness: 0.02,
            absorption: [0.01, 0.01, 0.01, 0.01, 0.02, 0.02, 0.02],
            scattering: [0.05, 0.05, 0.05, 0.05, 0.05, 0.054, 0.076],
            loss: [28.4, 34.4, 40.4, 46.4, 52.5, 58.5, 64.5]),
        // ordinary window glass, large lights
        material(
            "glass_window", thickness: 0.004,
            absorption: [0.35, 0.25, 0.18, 0.12, 0.07, 0.04, 0.04],
            scattering: [0.05, 0.05, 0.05, 0.05, 0.05, 0.054, 0.076],
            loss: [14.7, 20.5, 26.5, 32.5, 38.5, 44.5, 50.5]),
        // heavy plate glass, 6 mm
        material(
            "glass_heavy", thickness: 0.006,
            absorption: [0.18, 0.06, 0.04, 0.03, 0.02, 0.02, 0.02],
            scattering: [0.05, 0.05, 0.05, 0.05, 0.05, 0.054, 0.076],
            loss: [18.1, 24.0, 30.0, 36.0, 42.0, 48.0, 54.0]),
        // thin plywood panelling, 10 mm
        material(
            "plywood_panel", thickness: 0.01,
            absorption: [0.28, 0.22, 0.17, 0.09, 0.1, 0.11, 0.11],
            scattering: [0.05, 0.05, 0.05, 0.05, 0.066, 0.093, 0.132],
            loss: [10.7, 16.2, 22.1, 28.0, 34.0, 40.1, 46.1]),
        // wood floor on joists
        material(
            "wood_floor", thickness: 0.02,
            absorption: [0.15, 0.11, 0.1, 0.07, 0.06, 0.07, 0.07],
            scattering: [0.05, 0.05, 0.05, 0.05, 0.066, 0.093, 0.132],
            loss: [16.2, 22.1, 28.0, 34.0, 40.1, 46.1, 52.1]),
        // wood parquet on concrete
        material(
            "parquet_on_concrete", thickness: 0.2,
            absorption: [0.04, 0.04, 0.07, 0.06, 0.06, 0.07, 0.07],
            scattering: [0.05, 0.05, 0.05, 0.05, 0.054, 0.076, 0.108],
            loss: [32, 38, 47, 52, 57, 63, 67]),
        // heavy carpet on concrete
        material(
            "carpet_on_concrete", thickness: 0.2,
            absorption: [0.02, 0.06, 0.14, 0.37, 0.6, 0.65, 0.65],
            scattering: [0.05, 0.05, 0.05, 0.06, 0.085, 0.121, 0.171],
            loss: [32, 38, 47, 52, 57, 63, 67]),
        // heavy carpet on foam or hair felt, on a slab
        material(
            "carpet_on_foam", thickness: 0.2,
            absorption: [0.08, 0.24, 0.57, 0.69, 0.71, 0.73, 0.73],
            scattering: [0.05, 0.05, 0.054, 0.076, 0.108, 0.153, 0.216],
            loss: [32, 38, 47, 52, 57, 63, 67]),
        // heavy velour, 0.6 kg/m2, draped to half area
        material(
            "curtain_heavy", thickness: 0.02,
            absorption: [0.14, 0.35, 0.55, 0.72, 0.7, 0.65, 0.65],
            scattering: [0.095, 0.135, 0.191, 0.27, 0.382, 0.54, 0.763],
            loss: [0.7, 2.0, 4.9, 9.1, 14.4, 20.1, 26.1]),
        // light velour hung straight
        material(
            "curtain_light", thickness: 0.005,
            absorption: [0.03, 0.04, 0.11, 0.17, 0.24, 0.35, 0.35],
            scattering: [0.05, 0.06, 0.085, 0.121, 0.171, 0.241, 0.341],
            loss: [0.2, 0.9, 2.5, 5.7, 10.2, 15.6, 21.5]),
        // fissured mineral ceiling tile
        material(
            "acoustic_ceiling_tile", thickness: 0.02,
            absorption: [0.49, 0.53, 0.53, 0.75, 0.92, 0.99, 0.99],
            scattering: [0.05, 0.05, 0.05, 0.06, 0.085, 0.121, 0.171],
            loss: [9.4, 14.7, 20.5, 26.5, 32.5, 38.5, 44.5]),
        // 50 mm mineral wool, 80 kg/m3
        material(
            "mineral_wool_50", thickness: 0.05,
            absorption: [0.22, 0.6, 0.92, 0.9, 0.88, 0.88, 0.88],
            scattering: [0.05, 0.05, 0.05, 0.06, 0.085, 0.121, 0.171],
            loss: [7.9, 12.9, 18.6, 24.5, 30.5, 36.5, 42.6]),
        // sheet steel, 1 mm
        material(
            "metal_sheet", thickness: 0.001,
            absorption: [0.04, 0.04, 0.05, 0.05, 0.05, 0.07, 0.09],
            scattering: [0.05, 0.05, 0.05, 0.05, 0.05, 0.054, 0.076],
            loss: [12.7, 18.4, 24.3, 30.3, 36.3, 42.3, 48.4]),
        // water surface
        material(
            "water", thickness: 1.0,
            absorption: [0.008, 0.008, 0.013, 0.015, 0.02, 0.025, 0.025],
            scattering: [0.05, 0.05, 0.06, 0.085, 0.121, 0.171, 0.241],
            loss: [60, 60, 60, 60, 60, 60, 60]),
        // grass, 50 mm
        material(
            "grass", thickness: 1.0,
            absorption: [0.11, 0.26, 0.6, 0.69, 0.92, 0.99, 0.99],
            scattering: [0.067, 0.095, 0.135, 0.191, 0.27, 0.382, 0.54],
            loss: [60, 60, 60, 60, 60, 60, 60]),
        // rough soil
        material(
            "soil_rough", thickness: 1.0,
            absorption: [0.15, 0.25, 0.4, 0.55, 0.6, 0.6, 0.6],
            scattering: [0.052, 0.074, 0.105, 0.148, 0.209, 0.296, 0.418],
            loss: [60, 60, 60, 60, 60, 60, 60]),
        // loose moist gravel, 100 mm
        material(
            "gravel", thickness: 1.0,
            absorption: [0.25, 0.6, 0.65, 0.7, 0.75, 0.8, 0.8],
            scattering: [0.052, 0.074, 0.105, 0.148, 0.209, 0.296, 0.418],
            loss: [60, 60, 60, 60, 60, 60, 60]),
        // fresh snow, 100 mm
        material(
            "snow", thickness: 1.0,
            absorption: [0.45, 0.75, 0.9, 0.95, 0.95, 0.95, 0.95],
            scattering: [0.05, 0.06, 0.085, 0.121, 0.171, 0.241, 0.341],
            loss: [60, 60, 60, 60, 60, 60, 60]),
        // seated audience or orchestra
        material(
            "audience", thickness: 0.8,
            absorption: [0.6, 0.74, 0.88, 0.96, 0.93, 0.85, 0.85],
            scattering: [0.27, 0.382, 0.54, 0.763, 0.99, 0.99, 0.99],
            loss: soundproof),
        // empty upholstered seats
        material(
            "seats_upholstered", thickness: 0.8,
            absorption: [0.49, 0.66, 0.8, 0.88, 0.82, 0.7, 0.7],
            scattering: [0.213, 0.302, 0.427, 0.604, 0.853, 0.99, 0.99],
            loss: soundproof),
        // opening; everything leaves
        material(
            "open", thickness: 0,
            absorption: [1, 1, 1, 1, 1, 1, 1],
            scattering: [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            loss: [0, 0, 0, 0, 0, 0, 0]),
        // perfect reflector for tests
        material(
            "rigid", thickness: 0,
            absorption: [0, 0, 0, 0, 0, 0, 0],
            scattering: [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            loss: [200, 200, 200, 200, 200, 200, 200]),
    ]

    /// Seats and people stand on a floor that is not part of the table: nothing is taken to pass through them.
    private static let soundproof: [Float] = [60, 60, 60, 60, 60, 60, 60]

    private static func material(
        _ name: String, thickness: Double, absorption: [Float], scattering: [Float], loss: [Float]
    ) -> AcousticMaterial {
        AcousticMaterial(
            name: name, absorption: OctaveBands(from125HzTo8kHz: absorption),
            scattering: OctaveBands(from125HzTo8kHz: scattering),
            transmissionLoss: OctaveBands(from125HzTo8kHz: loss), thickness: thickness)
    }
}
