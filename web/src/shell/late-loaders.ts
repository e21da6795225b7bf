/**
 * Loads the loaders of the routes with which few visits begin, from a separate file. The file loads when the viewer
 * opens the first of these routes. The loaders of all other routes are in the first load.
 */
export async function lateLoaders() {
  return await import('./page-loaders.ts')
}
