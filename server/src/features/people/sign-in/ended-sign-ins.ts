import { inArray } from 'drizzle-orm'
import type { Changes } from '../../../database/changes.ts'
import type { Database } from '../../../database/connection.ts'
import { type RefreshOptions, refreshOn } from '../../../database/refresh.ts'
import type { SignInProof, SignIns } from '../../../http/principal.ts'
import { signInEndings } from './sign-in-endings.table.ts'

type Ending = typeof signInEndings.$inferSelect

const MS = 1000

/**
 * Holds the rows of `sign_in_endings` in memory: the sign-ins that ended before their tokens expire. Every call
 * checks its account token or playback token here, without a database query (spec 47). While the database is
 * unreachable, the rows that were read last apply. Some rows instead store the child's profile that was chosen in a
 * sign-in, for tokens signed before the choice (spec 46).
 */
export class EndedSignIns implements SignIns {
  readonly #db: Database
  readonly #changed = new Set<number>()
  /** The last read. Reads run one after another, so that an older result cannot replace newer rows. */
  #turn: Promise<unknown> = Promise.resolve()
  /** Whether notices of changes may have been lost. The next read then reads all rows. */
  #isLost = true
  #rows = new Map<number, Ending>()
  /**
   * Rows by subject. A subject is a sign-in, a device, a whole account, the playback of an account, or a sign-in with
   * an active child's profile. Arrays, because most subjects have one row, and a set of one takes five times the memory.
   */
  readonly #bySubject = new Map<string, Ending[]>()

  private constructor(db: Database) {
    this.#db = db
  }

  static async load(db: Database, changes: Changes, following: RefreshOptions): Promise<EndedSignIns> {
    const ended = new EndedSignIns(db)
    changes.on('signIns', (ids) => {
      if (ids === null) ended.#isLost = true
      else for (const id of ids) ended.#changed.add(id)
    })
    refreshOn(changes, 'signIns', following, async () => await ended.refresh())
    await ended.refresh()
    return ended
  }

  /**
   * Reads the rows that have changed up to now.
   *
   * @param written ids of rows that this process wrote, for which the notice may not have arrived yet
   * @throws when the database is unreachable; the next call reads the same rows
   */
  async refresh(written: readonly number[] = []): Promise<void> {
    for (const id of written) this.#changed.add(id)
    const turn = this.#turn.then(async () => await this.#readChanges())
    this.#turn = turn.catch(() => undefined)
    await turn
  }

  async #readChanges(): Promise<void> {
    const isLost = this.#isLost
    const ids = [...this.#changed]
    this.#isLost = false
    this.#changed.clear()
    try {
      if (isLost) await this.#readAll()
      else if (ids.length > 0) await this.#readThese(ids)
    } catch (error) {
      this.#isLost ||= isLost
      for (const id of ids) this.#changed.add(id)
      throw error
    }
  }

  /** Returns whether a token's sign-in has ended. */
  has({ accountId, signIn, since, deviceId }: SignInProof): boolean {
    if (this.#rows.size === 0) return false
    if (this.#bySubject.has(`sign-in ${accountId} ${signIn}`)) return true
    if (deviceId !== undefined && this.#bySubject.has(`device ${deviceId}`)) return true
    const ofAccount = this.#bySubject.get(`account ${accountId}`)
    if (ofAccount === undefined) return false
    return ofAccount.some(({ before }) => before === null || since * MS < before)
  }

  /** Returns whether the account is suspended, so that its playback has ended although its sign-ins continue. */
  isSuspended(accountId: number): boolean {
    return this.#bySubject.has(`playback of ${accountId}`)
  }

  /**
   * Returns the id of the child's profile that was chosen last in a sign-in. Returns null if an adult's profile was
   * chosen last, and undefined if no row stores a choice.
   */
  childIn({ accountId, signIn }: SignInProof): number | null | undefined {
    const rows = this.#bySubject.get(`child in ${accountId} ${signIn}`)
    if (rows === undefined) return undefined
    // Two processes may have written a row at the same moment. The row with the higher id applies.
    const last = rows.reduce((one, other) => (other.id > one.id ? other : one))
    return last.childProfileId || null
  }

  async #readAll(): Promise<void> {
    const rows = await this.#db.select().from(signInEndings)
    this.#rows.clear()
    this.#bySubject.clear()
    for (const row of rows) this.#add(row)
  }

  async #readThese(ids: number[]): Promise<void> {
    const rows = await this.#db.select().from(signInEndings).where(inArray(signInEndings.id, ids))
    for (const id of ids) this.#remove(id)
    for (const row of rows) this.#add(row)
  }

  #add(row: Ending): void {
    this.#rows.set(row.id, row)
    for (const subject of subjectsOf(row)) {
      const rows = this.#bySubject.get(subject)
      if (rows) rows.push(row)
      else this.#bySubject.set(subject, [row])
    }
  }

  #remove(id: number): void {
    const row = this.#rows.get(id)
    if (!row) return
    this.#rows.delete(id)
    for (const subject of subjectsOf(row)) {
      const others = this.#bySubject.get(subject)?.filter((other) => other !== row) ?? []
      if (others.length === 0) this.#bySubject.delete(subject)
      else this.#bySubject.set(subject, others)
    }
  }
}

function subjectsOf({ accountId, signIn, deviceId, childProfileId, playbackOnly }: Ending): string[] {
  if (playbackOnly) return [`playback of ${accountId}`]
  if (childProfileId !== null) return [`child in ${accountId} ${signIn}`]
  const subjects = [
    ...(signIn === null ? [] : [`sign-in ${accountId} ${signIn}`]),
    ...(deviceId === null ? [] : [`device ${deviceId}`]),
  ]
  return subjects.length > 0 ? subjects : [`account ${accountId}`]
}
