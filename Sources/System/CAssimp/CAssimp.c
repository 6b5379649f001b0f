#define _GNU_SOURCE
#include "shim.h"
#include "../CReaderProcess/shim.h"

// Of assimp 5: another major version may lay its structures out otherwise.
RUNTIME_LIBRARY(ossicle_load_assimp, "libassimp.so.5", ASSIMP_FUNCTIONS)

enum { TRIANGULATE = 0x8 };

static int put_mesh(int file, const struct aiScene *scene, const struct aiMesh *mesh, const char *object, const struct aiMatrix4x4 *place) {
    struct aiString material = {0};
    if (mesh->mMaterialIndex < scene->mNumMaterials)
        aiGetMaterialString(scene->mMaterials[mesh->mMaterialIndex], "?mat.name", 0, 0, &material);
    if (!ossicle_put_word(file, 1) || !ossicle_put_text(file, object) || !ossicle_put_text(file, material.data)) return 0;
    if (!ossicle_put_word(file, 3 * mesh->mNumVertices)) return 0;
    for (unsigned i = 0; i < mesh->mNumVertices; i++) {
        struct aiVector3D v = mesh->mVertices[i];
        aiTransformVecByMatrix4(&v, place);
        float at[3] = {v.x, v.y, v.z};
        if (!ossicle_put(file, at, sizeof at)) return 0;
    }
    unsigned triangles = 0;
    for (unsigned i = 0; i < mesh->mNumFaces; i++) triangles += mesh->mFaces[i].mNumIndices == 3;
    if (!ossicle_put_word(file, 3 * triangles)) return 0;
    for (unsigned i = 0; i < mesh->mNumFaces; i++)
        if (mesh->mFaces[i].mNumIndices == 3 && !ossicle_put(file, mesh->mFaces[i].mIndices, 12)) return 0;
    return 1;
}

static int put_node(int file, const struct aiScene *scene, const struct aiNode *node, struct aiMatrix4x4 place, int depth) {
    if (depth > 256) return 0;
    aiMultiplyMatrix4(&place, &node->mTransformation);
    for (unsigned i = 0; i < node->mNumMeshes; i++)
        if (!put_mesh(file, scene, scene->mMeshes[node->mMeshes[i]], node->mName.data, &place)) return 0;
    for (unsigned i = 0; i < node->mNumChildren; i++)
        if (!put_node(file, scene, node->mChildren[i], place, depth + 1)) return 0;
    return 1;
}

void ossicle_scene_describe(int file, const void *bytes, size_t size) {
    if (!ossicle_put_word(file, 0x4E454353)) return;
    const struct aiScene *scene = size > 0 ? aiImportFileFromMemory((const char *)bytes, (unsigned)size, TRIANGULATE, "obj") : 0;
    if (!scene || !scene->mRootNode) {
        const char *reason = size > 0 ? aiGetErrorString() : "";
        ossicle_put_text(file, reason && *reason ? reason : "there is nothing in it");
        return;
    }
    struct aiMatrix4x4 place;
    aiIdentityMatrix4(&place);
    if (ossicle_put_text(file, "") && put_node(file, scene, scene->mRootNode, place, 0)) ossicle_put_word(file, 0);
}
