/**
 * Loads the loaders of routes that few visits begin with. The first load contains the code of every route's loader, so
 * these loaders have a file of their own, which loads with the first of these routes.
 */
export async function lateLoaders() {
  return await import('./page-loaders.ts')
}
