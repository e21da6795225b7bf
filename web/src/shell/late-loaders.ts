/**
 * Loads the loaders of routes with which few visits begin. The first load contains the loaders of all other
 * routes. These loaders are in a separate file, which loads with the first of these routes.
 */
export async function lateLoaders() {
  return await import('./page-loaders.ts')
}
