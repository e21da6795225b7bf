import { LRUCache } from 'lru-cache'
import type { PreparedAnswer } from './prepared-answer.ts'
import type { PreparedList } from './prepared-list.ts'

/** A list item with a viewer's own data: the item's position in the list, and its JSON. */
export type OwnItem = readonly [at: number, json: Buffer]

/** Maximum bytes of all cached answers, without their compressed forms. */
const MOST_BYTES = 24_000_000

/**
 * Caches, for each viewer whose data changes some items of lists, the list that the viewer read last. Viewers often
 * go back from a title or a channel to its list. The cache saves building and compressing the list again.
 */
export class OwnLists<Entry> {
  readonly #last = new LRUCache<
    object,
    { list: PreparedList<Entry>; items: readonly OwnItem[]; answer: PreparedAnswer }
  >({ maxSize: MOST_BYTES, sizeCalculation: ({ answer }) => answer.body.length })

  /**
   * Returns a list in which some items contain the viewer's own data.
   *
   * @param viewer an object that represents the viewer and is replaced when the viewer's data changes, such as the
   * cached purchases. One answer is cached per object.
   * @param items the items with the viewer's own data, in the order of the list
   */
  answer(viewer: object, list: PreparedList<Entry>, items: readonly OwnItem[]): PreparedAnswer {
    const last = this.#last.get(viewer)
    // An unchanged item is the same buffer, so comparing references is enough.
    if (
      last?.list === list &&
      last.items.length === items.length &&
      last.items.every(([at, json], each) => items[each]?.[0] === at && items[each][1] === json)
    )
      return last.answer
    const answer = list.with(items)
    this.#last.set(viewer, { list, items, answer })
    return answer
  }
}
