import type { Send } from './service-call.ts'

/**
 * The methods of the system's key store that the app uses, with the signatures of
 * `@aparajita/capacitor-secure-storage`.
 */
export interface KeyStore {
  getItem(key: string): Promise<string | null>
  setItem(key: string, value: string): Promise<void>
  removeItem(key: string): Promise<void>
}

/** Headers that transport tokens, in requests and in answers (docs/decisions/0098). */
const CARRIERS = ['x-auth-token', 'x-profile-token', 'x-device-token', 'x-sign-on-token'] as const

type Carrier = (typeof CARRIERS)[number]
type Held = Partial<Record<Carrier, string>>
type Report = (fault: unknown) => void

/** Parts of the app that {@link Tokens} uses. */
interface Surroundings {
  /** Whether the key store may still contain tokens of an earlier installation. */
  isFirstStart: boolean
  /** Called once the key store contains no tokens of an earlier installation. */
  started: () => void
  /** Called with each error of the key store. After an error, the tokens are lost when the app ends. */
  report: Report
}

/** A header that only calls to the service have. Other requests, such as for the configuration, get no tokens. */
const CALL = 'x-identity-key'

/** Key of the entry with all tokens. A single entry ensures that the tokens belong to the same sign-in. */
const KEY = 'tokens'

/** The tokens of the viewer, in memory and in the key store of the system (docs/decisions/0098). */
export class Tokens {
  readonly #store: KeyStore
  readonly #report: Report
  readonly #started: () => void
  #held: Held
  /** The last write to the key store. Writes run one after another. */
  #written: Promise<void> = Promise.resolve()

  private constructor(
    store: KeyStore,
    { report, started }: Pick<Surroundings, 'report' | 'started'>,
    held: Held,
  ) {
    this.#store = store
    this.#report = report
    this.#started = started
    this.#held = held
  }

  /**
   * Reads the tokens. The key store of iOS survives the removal of the app. So the first start after an
   * installation removes old tokens and begins without tokens. If the removal fails, the next start counts as a
   * first start too. A start without readable tokens also begins without tokens.
   */
  static async read(store: KeyStore, surroundings: Surroundings): Promise<Tokens> {
    const { isFirstStart, started, report } = surroundings
    try {
      if (!isFirstStart) return new Tokens(store, surroundings, heldIn(await store.getItem(KEY)))
      await store.removeItem(KEY)
      started()
    } catch (fault) {
      report(fault)
    }
    return new Tokens(store, surroundings, {})
  }

  /**
   * Adds the tokens to each call, and stores the tokens of its answer before the page reads the answer.
   *
   * @param signedOut called when an answer has ended the sign-in
   */
  carriedBy(send: Send, signedOut: () => Promise<void>): Send {
    return async (call) => {
      if (!call.headers.has(CALL)) return await send(call)
      const sent = this.#held
      for (const carrier of CARRIERS) {
        const token = sent[carrier]
        if (token !== undefined) call.headers.set(carrier, token)
      }
      const answer = await send(call)
      await this.#take(answer.headers, sent)
      if (sent['x-auth-token'] !== undefined && this.#held['x-auth-token'] === undefined) await signedOut()
      return answer
    }
  }

  async #take(headers: Headers, sent: Held): Promise<void> {
    const held = { ...this.#held }
    for (const carrier of CARRIERS) {
      const token = headers.get(carrier)
      if (token === null) continue
      if (token !== '') held[carrier] = token
      // An answer to a call of the previous sign-in must not end the current sign-in.
      else if (held[carrier] === sent[carrier]) delete held[carrier]
    }
    if (CARRIERS.every((carrier) => held[carrier] === this.#held[carrier])) return
    this.#held = held
    this.#written = this.#written.then(async () => await this.#write(JSON.stringify(held)))
    await this.#written
  }

  async #write(text: string): Promise<void> {
    try {
      await this.#store.setItem(KEY, text)
      // This write replaces the entry of an earlier installation, even if its removal failed.
      this.#started()
    } catch (fault) {
      this.#report(fault)
    }
  }
}

/** Parses an entry of the key store. Skips everything except tokens in known headers. @throws SyntaxError */
function heldIn(text: string | null): Held {
  const read: unknown = text === null ? {} : JSON.parse(text)
  const entries = CARRIERS.flatMap((carrier) => {
    const token: unknown = typeof read === 'object' && read !== null ? Reflect.get(read, carrier) : undefined
    // Header values must not contain other characters.
    return typeof token === 'string' && /^[\x21-\x7e]+$/.test(token) ? [[carrier, token]] : []
  })
  return Object.fromEntries(entries)
}
