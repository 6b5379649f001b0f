/// The tracer to use unless there is a reason for another. The answers are the same.
package typealias SceneTracer = MeshTracer<SceneSearch>

/// Embree where it is built in, plain Swift elsewhere.
#if Embree
package typealias SceneSearch = EmbreeSearch
#else
package typealias SceneSearch = TreeSearch
#endif
