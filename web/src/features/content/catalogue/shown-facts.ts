/** Returns the first `most` facts that have a value, in their order (V3-14). */
export function shownFacts<
  Fact extends readonly [name: string, value: string | number | undefined, ...unknown[]],
>(facts: readonly Fact[], most: number): Fact[] {
  return facts.filter(([, value]) => value !== undefined && value !== '').slice(0, most)
}
