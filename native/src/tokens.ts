import type { Send } from './service-call.ts'

/** The methods of the system's key store that the app uses, as of `@aparajita/capacitor-secure-storage`. */
export interface KeyStore {
  getItem(key: string): Promise<string | null>
  setItem(key: string, value: string): Promise<void>
  removeItem(key: string): Promise<void>
}

/** Headers in which tokens travel in both directions (docs/decisions/0098). */
const CARRIERS = ['x-auth-token', 'x-profile-token', 'x-device-token', 'x-sign-on-token'] as const

type Carrier = (typeof CARRIERS)[number]
type Held = Partial<Record<Carrier, string>>
type Report = (fault: unknown) => void

/** State of the key store, and how to change it. */
interface Surroundings {
  /** Whether no tokens of this installation are in the key store. */
  isFirstStart: boolean
  /** Is called once the key store has no tokens of an earlier installation any more. */
  started: () => void
  /** Is called with each fault of the key store. The tokens then last as long as the app runs. */
  report: Report
}

/** The header that only calls have. Other requests, such as that for the configuration, carry no tokens. */
const CALL = 'x-identity-key'

/** The key of all tokens in the key store. They are one entry, so that they are always those of one sign-in. */
const KEY = 'tokens'

/** The tokens of the viewer, in memory and in the key store of the system (docs/decisions/0098). */
export class Tokens {
  readonly #store: KeyStore
  readonly #report: Report
  readonly #started: () => void
  #held: Held
  /** The last change of the key store. Changes happen one after another. */
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
   * Reads the tokens. The key store of iOS outlives the app, so the first start after an installation begins without
   * tokens. So does a start whose key store has no readable tokens. A start after a removal that failed is a first start
   * too.
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
   * Adds the tokens to each call, and keeps the tokens of its answer before the page reads it.
   *
   * @param signedOut is called when an answer has ended the sign-in
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
      // An answer to a call of the previous sign-in does not end the present one.
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
      // The entry of an earlier installation is replaced, even if it could not be removed.
      this.#started()
    } catch (fault) {
      this.#report(fault)
    }
  }
}

/** Reads an entry of the key store. Anything but tokens in their headers is left out. @throws SyntaxError */
function heldIn(text: string | null): Held {
  const read: unknown = text === null ? {} : JSON.parse(text)
  const entries = CARRIERS.flatMap((carrier) => {
    const token: unknown = typeof read === 'object' && read !== null ? Reflect.get(read, carrier) : undefined
    // A header takes only these characters.
    return typeof token === 'string' && /^[\x21-\x7e]+$/.test(token) ? [[carrier, token]] : []
  })
  return Object.fromEntries(entries)
}
