// The part of assimp's binary interface that is used, in our own declarations: a build needs no headers of assimp's.
#pragma once
#include <RuntimeLibrary.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct aiMaterial;
struct aiVector3D {
    float x, y, z;
};
struct aiMatrix4x4 {
    float rows[16];
};
struct aiString {
    uint32_t length;
    char data[1024];
};
struct aiFace {
    unsigned mNumIndices;
    unsigned *mIndices;
};
/// Of a mesh, a node and a scene, which the library makes, only the beginning.
struct aiMesh {
    unsigned mPrimitiveTypes, mNumVertices, mNumFaces;
    struct aiVector3D *mVertices;
    void *normalsAndTangents[3], *colours[8], *textureCoordinates[8];
    unsigned textureComponents[8];
    struct aiFace *mFaces;
    unsigned mNumBones;
    void *mBones;
    unsigned mMaterialIndex;
};
struct aiNode {
    struct aiString mName;
    struct aiMatrix4x4 mTransformation;
    struct aiNode *mParent;
    unsigned mNumChildren;
    struct aiNode **mChildren;
    unsigned mNumMeshes;
    unsigned *mMeshes;
};
struct aiScene {
    unsigned mFlags;
    struct aiNode *mRootNode;
    unsigned mNumMeshes;
    struct aiMesh **mMeshes;
    unsigned mNumMaterials;
    struct aiMaterial **mMaterials;
};

#include "functions.h"
ASSIMP_FUNCTIONS(RUNTIME_DECLARE)

/// Looks for assimp, once; whether it is there. Call it before a child process reads with it.
bool ossicle_load_assimp(void);

// assimp reads a scene in a process of its own, whose reply is:
//
//   u32      magic "SCEN"
//   text     why the scene cannot be read; empty if it can, and then comes the rest
//   meshes   each: u32 1, text object, text material, u32 count, count x f32 coordinates, u32 count, count x u32 corners of triangles
//   u32      0
//
// Lines and points are left out. Coordinates are those of the world: the objects' transforms are applied.

/// Writes the reply about the bytes of a file: what a `ReaderProcess` runs.
void ossicle_scene_describe(int file, const void *bytes, size_t size);
