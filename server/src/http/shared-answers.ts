/** Answers that are the same for everyone of whom their key says the same, kept for a moment: asked for at once, they are made once. */
export class SharedAnswers<Answer> {
  readonly #milliseconds: number
  readonly #answers = new Map<string, { until: number; answer: Promise<Answer> }>()

  /** @param seconds how long an answer may be reused; 0 for not at all. */
  constructor(seconds: number) {
    this.#milliseconds = seconds * 1000
  }

  /** The answer of `key`, made by `make` when there is none that is still good at `now`. */
  async get(key: string, now: number, make: () => Promise<Answer>): Promise<Answer> {
    const known = this.#answers.get(key)
    if (known && known.until > now) return await known.answer
    const answer = make()
    if (this.#milliseconds === 0) return await answer
    if (this.#answers.size >= MOST_ANSWERS) this.#dropOldest()
    this.#answers.delete(key)
    this.#answers.set(key, { until: now + this.#milliseconds, answer })
    try {
      return await answer
    } catch (error) {
      // A failure is nobody else's answer.
      this.#answers.delete(key)
      throw error
    }
  }

  #dropOldest(): void {
    const [oldest] = this.#answers.keys()
    if (oldest !== undefined) this.#answers.delete(oldest)
  }
}

/** Bounds the memory, whatever visitors ask for. */
const MOST_ANSWERS = 500
