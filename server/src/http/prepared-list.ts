import { PreparedAnswer } from './prepared-answer.ts'

/**
 * A list that is ready to send. Most callers get the same answer. A caller whose own data changes some items gets a
 * copy in which these items are replaced.
 */
export class PreparedList<Entry> {
  readonly entries: readonly Entry[]
  /** The answer for every viewer whose own data changes no item. */
  readonly answer: PreparedAnswer
  /** Offset of each item in the body, in bytes. A comma or the end of the list follows each item. */
  readonly #starts: readonly number[]

  /** @param json returns an item as JSON */
  constructor(entries: readonly Entry[], json: (entry: Entry) => string) {
    const items = entries.map(json)
    this.entries = entries
    this.answer = PreparedAnswer.of(`[${items.join(',')}]`)
    const starts = [PreparedAnswer.of('[]').body.indexOf(']')]
    for (const item of items) starts.push((starts.at(-1) ?? 0) + Buffer.byteLength(item) + 1)
    this.#starts = starts
  }

  /**
   * Returns the answer with some items replaced.
   *
   * @param items JSON of the new items with their positions, in ascending order of position
   */
  with(items: readonly (readonly [at: number, json: Buffer])[]): PreparedAnswer {
    const { body } = this.answer
    const parts: Buffer[] = []
    let from = 0
    for (const [at, json] of items) {
      parts.push(body.subarray(from, this.#starts[at]), json)
      from = (this.#starts[at + 1] ?? 0) - 1
    }
    return new PreparedAnswer(Buffer.concat([...parts, body.subarray(from)]))
  }
}
