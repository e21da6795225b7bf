const TOP_LEVEL: ReadonlySet<string> = new Set([
  'home',
  'assets',
  'category-slug',
  'categories-slug',
  'others',
])

/**
 * Returns whether a screen is top level. A move to such a screen empties the trail of "back" (V2.1-28, V2.4-21).
 * The specification writes `categories-slug` for `category-slug` (spec 2).
 */
export function isTopLevel(routeName: string): boolean {
  return TOP_LEVEL.has(routeName) || routeName.startsWith('account-') || routeName.startsWith('auth-')
}
