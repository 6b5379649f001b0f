// What is used of assimp: result, name, parameters, arguments, and the result without the library.
#pragma once

#define ASSIMP_FUNCTIONS(F) \
    F(const struct aiScene *, aiImportFileFromMemory, (const char *bytes, unsigned size, unsigned steps, const char *kind), \
      (bytes, size, steps, kind), 0) \
    F(const char *, aiGetErrorString, (void), (), "libassimp is missing") \
    F(int, aiGetMaterialString, (const struct aiMaterial *material, const char *key, unsigned type, unsigned index, struct aiString *text), \
      (material, key, type, index, text), -1) \
    F(void, aiIdentityMatrix4, (struct aiMatrix4x4 *matrix), (matrix), (void)0) \
    F(void, aiMultiplyMatrix4, (struct aiMatrix4x4 *matrix, const struct aiMatrix4x4 *other), (matrix, other), (void)0) \
    F(void, aiTransformVecByMatrix4, (struct aiVector3D *vector, const struct aiMatrix4x4 *matrix), (vector, matrix), (void)0)
