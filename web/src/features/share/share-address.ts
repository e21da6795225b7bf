/**
 * The complete address of a page that is shared: under the address that the operator has set for that, else where the
 * page itself is (V3-46).
 */
export function shareAddress(path: string, { base, origin }: { base: string; origin: string }): string {
  return (base === '' ? origin : base).replace(/\/+$/, '') + path
}
