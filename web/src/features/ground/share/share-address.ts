/**
 * Returns the absolute address of a shared page: under the operator's base for shared addresses, else under the page's own origin (V3-46).
 */
export function shareAddress(path: string, { base, origin }: { base: string; origin: string }): string {
  return (base === '' ? origin : base).replace(/\/+$/, '') + path
}
