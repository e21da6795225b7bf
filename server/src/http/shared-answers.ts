import { LRUCache } from 'lru-cache'

/** The part of an answer that the cache reads. */
interface Answered {
  body: string | Buffer
}

/** The cached answer of a key. */
interface Entry<Answer> {
  askedAt: number
  answer: Promise<Answer>
  /** The last completed answer, if any. If the next answer has the same body, this object stays in use. */
  last: Answer | undefined
  /** Size of the answer's body in bytes. While the answer is pending, the size of the last answer's body. */
  bytes: number
}

/**
 * Maximum bytes of the bodies of cached answers. If a page reads an answer, its parsed object is cached too, and
 * takes several times as much memory.
 */
const MOST_BYTES = 20_000_000
/**
 * Maximum number of cached answers. `MOST_BYTES` alone is not enough, because an answer takes more memory than its
 * body.
 */
const MOST_ANSWERS = 2000

/**
 * Caches answers for a moment and shares them among callers with the same key. Concurrent callers wait for one
 * computation. Returns the previous object when the new body is identical, so that values derived from it stay
 * valid.
 */
export class SharedAnswers<Answer extends Answered> {
  readonly #milliseconds: number
  readonly #answers = new LRUCache<string, Entry<Answer>>({
    max: MOST_ANSWERS,
    maxSize: MOST_BYTES,
    sizeCalculation: ({ bytes }, key) => key.length + bytes,
  })

  /** @param seconds how long an answer may be reused; 0 for not at all. */
  constructor(seconds: number) {
    this.#milliseconds = seconds * 1000
  }

  /**
   * Returns the answer of `key`. Calls `make` if no cached answer is valid at `now`, in milliseconds. An answer from
   * the future is not valid for longer than any other: the clock may have been set back.
   */
  async get(key: string, now: number, make: () => Promise<Answer>): Promise<Answer> {
    const known = this.#answers.get(key)
    if (known && Math.abs(now - known.askedAt) < this.#milliseconds) return await known.answer
    if (this.#milliseconds === 0) return await make()
    const last = known?.last
    const entry: Entry<Answer> = {
      askedAt: now,
      last,
      bytes: last?.body.length ?? 0,
      answer: make().then((made) => {
        entry.last = last !== undefined && isSame(last.body, made.body) ? last : made
        return entry.last
      }),
    }
    this.#answers.set(key, entry)
    try {
      const answer = await entry.answer
      const bytes = answer.body.length
      if (this.#answers.peek(key) === entry && bytes !== entry.bytes)
        this.#answers.set(key, { ...entry, bytes })
      return answer
    } catch (error) {
      // Failures are not cached.
      if (this.#answers.peek(key) === entry) this.#answers.delete(key)
      throw error
    }
  }
}

function isSame(one: string | Buffer, other: string | Buffer): boolean {
  return typeof one === 'string' || typeof other === 'string' ? one === other : one.equals(other)
}
