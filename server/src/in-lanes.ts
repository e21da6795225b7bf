/**
 * Calls `work` for the items in their order, for at most `lanes` items at the same time.
 *
 * @returns the results, in the order of the items
 * @throws the first error of `work`; the other lanes continue with the remaining items
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
