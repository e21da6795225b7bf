/** Whatever else an answer is, it has a body. */
interface Answered {
  body: string | Buffer
}

/** What is known under a key. */
interface Entry<Answer> {
  until: number
  answer: Promise<Answer>
  /** The last that came, if one did: nobody waits for one that does not. */
  last: Answer | undefined
}

/**
 * Answers that are the same for everyone of whom their key says the same, kept for a moment: asked for at once, they are made
 * once. One that says what the one before it said is the one before it: what was made of that still holds.
 */
export class SharedAnswers<Answer extends Answered> {
  readonly #milliseconds: number
  readonly #answers = new Map<string, Entry<Answer>>()

  /** @param seconds how long an answer may be reused; 0 for not at all. */
  constructor(seconds: number) {
    this.#milliseconds = seconds * 1000
  }

  /** The answer of `key`, made by `make` when there is none that is still good at `now`. */
  async get(key: string, now: number, make: () => Promise<Answer>): Promise<Answer> {
    const known = this.#answers.get(key)
    if (known && known.until > now) return await known.answer
    if (this.#milliseconds === 0) return await make()
    const last = known?.last
    const entry: Entry<Answer> = {
      until: now + this.#milliseconds,
      last,
      answer: make().then((made) => {
        entry.last = last !== undefined && isSame(last.body, made.body) ? last : made
        return entry.last
      }),
    }
    if (this.#answers.size >= MOST_ANSWERS) this.#dropOldest()
    this.#answers.delete(key)
    this.#answers.set(key, entry)
    try {
      return await entry.answer
    } catch (error) {
      // A failure is nobody else's answer.
      if (this.#answers.get(key) === entry) this.#answers.delete(key)
      throw error
    }
  }

  #dropOldest(): void {
    const [oldest] = this.#answers.keys()
    if (oldest !== undefined) this.#answers.delete(oldest)
  }
}

function isSame(one: string | Buffer, other: string | Buffer): boolean {
  return typeof one === 'string' || typeof other === 'string' ? one === other : one.equals(other)
}

/** Bounds the memory, whatever visitors ask for. */
const MOST_ANSWERS = 500
