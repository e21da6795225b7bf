/** What routes of the shop load by. It is fetched with the first of them: every route's loader is in the first load. */
export async function shopLoader() {
  return await import('./load-shop.ts')
}
