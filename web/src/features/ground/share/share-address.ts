/**
 * Returns the absolute address of a page to share. The address begins with the operator's address for shared
 * pages, or else with the origin of the current page (V3-46).
 */
export function shareAddress(path: string, { base, origin }: { base: string; origin: string }): string {
  return (base === '' ? origin : base).replace(/\/+$/, '') + path
}
