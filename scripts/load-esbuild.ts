/** Returns the bundler, or undefined without the development dependencies. */
export const loadEsbuild = () =>
  import("esbuild").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  });
