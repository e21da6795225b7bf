/**
 * Works on items in their order, so many at the same time.
 *
 * @returns the results, in the order of the items
 * @throws the first error of `work`; items that have begun go on
 */
export async function inLanes<Item, Result>(
  lanes: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const left = items.entries()
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const [at, item] of left) results[at] = await work(item)
    }),
  )
  return results
}
