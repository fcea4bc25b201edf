/** Returns esbuild; undefined if the development dependencies are not installed. */
export const loadEsbuild = () =>
  import("esbuild").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  });
