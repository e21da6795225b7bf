/**
 * Calls `work` for the items in their order, for at most `lanes` items at the same time.
 *
 * @returns the results, in the order of the items
 * @throws an error of `work`, after all lanes have ended. No lane begins another item after an error.
 */
export async function inLanes<Item, Result>(
  lanes: number,
  items: Iterable<Item>,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  // All lanes share the generator. An error in a lane ends it.
  const left = numbered(items)
  const ended = await Promise.allSettled(
    Array.from({ length: lanes }, async () => {
      for (const [at, item] of left) results[at] = await work(item)
    }),
  )
  for (const lane of ended) if (lane.status === 'rejected') throw lane.reason
  return results
}

function* numbered<Item>(items: Iterable<Item>): Generator<[number, Item]> {
  let at = 0
  for (const item of items) yield [at++, item]
}
