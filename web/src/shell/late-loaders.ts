/** What routes load by that are not the first for most. It is fetched with the first of them: every route's loader is in the first load. */
export async function lateLoaders() {
  return await import('./page-loaders.ts')
}
