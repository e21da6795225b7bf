const TOP_LEVEL: ReadonlySet<string> = new Set([
  'home',
  'assets',
  'category-slug',
  'categories-slug',
  'others',
])

/**
 * Returns whether a screen is top level: navigating to it empties the history of "back" (V2.1-28, V2.4-21).
 * `categories-slug` of the specification is category-slug (spec 2).
 */
export function isTopLevel(routeName: string): boolean {
  return TOP_LEVEL.has(routeName) || routeName.startsWith('account-') || routeName.startsWith('auth-')
}
