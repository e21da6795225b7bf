/**
 * Loaders of routes that few visits begin with. They load with the first of these routes, because the first load contains every route's
 * loader.
 */
export async function lateLoaders() {
  return await import('./page-loaders.ts')
}
