/** The first `most` of the facts that are known, in their order; each is a name, what it is, and whatever else (V3-14). */
export function shownFacts<
  Fact extends readonly [name: string, value: string | number | undefined, ...unknown[]],
>(facts: readonly Fact[], most: number): Fact[] {
  return facts.filter(([, value]) => value !== undefined && value !== '').slice(0, most)
}
