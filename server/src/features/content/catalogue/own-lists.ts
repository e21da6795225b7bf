import { LRUCache } from 'lru-cache'
import type { PreparedAnswer } from '../../../http/prepared-answer.ts'
import type { PreparedList } from '../../../http/prepared-list.ts'
import type { Owned } from '../../rights/entitlements/owned.service.ts'

/** List item with a viewer's own data: its position in the list, and its JSON. */
export type OwnItem = readonly [at: number, json: Buffer]

/** Maximum bytes of all cached answers, without their compressed forms. */
const MOST_BYTES = 24_000_000

/**
 * Keeps, for each viewer with purchases, the list that the viewer read last, with the viewer's own items.
 * Viewers often return from a title to its list. The answer is then neither built nor compressed again.
 */
export class OwnLists<Entry> {
  readonly #last = new LRUCache<
    Owned,
    { list: PreparedList<Entry>; items: readonly OwnItem[]; answer: PreparedAnswer }
  >({ maxSize: MOST_BYTES, sizeCalculation: ({ answer }) => answer.body.length })

  /** Returns a list with a viewer's items. @param items in the order of the list */
  answer(owned: Owned, list: PreparedList<Entry>, items: readonly OwnItem[]): PreparedAnswer {
    const last = this.#last.get(owned)
    // Items that have not changed are the same buffers.
    if (
      last?.list === list &&
      last.items.length === items.length &&
      last.items.every(([at, json], each) => items[each]?.[0] === at && items[each][1] === json)
    )
      return last.answer
    const answer = list.with(items)
    this.#last.set(owned, { list, items, answer })
    return answer
  }
}
