import { and, asc, eq, gt, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import { isUniqueViolation } from '../../../database/broken-keys.ts'
import type { Database, Transaction } from '../../../database/connection.ts'
import { Pace } from '../../../database/pace.ts'
import { retryOnDeadlock } from '../../../database/retry-on-deadlock.ts'
import { Semaphore } from '../../../http/semaphore.ts'
import type { ChannelFields } from '../../inventory/line-up/channel-fields.ts'
import { channelLists, channels } from '../../inventory/line-up/line-up.table.ts'
import { ensurePackage, putChannelsInPackage } from '../../rights/entitlements/packages.service.ts'
import type { Remark } from '../guide-import/remark.ts'
import { ChannelListError, type ListedChannel } from './channel-list.ts'
import type { ListRow } from './channel-lists.service.ts'
import { giveNumbers, type KnownChannel, matchChannels } from './match-channels.ts'

/** Maximum number of channels that one transaction writes. */
export const MOST_CHANNELS = { embedded: 100, postgresql: 500 } as const
const FIRST_CHANNELS = 25
/** Maximum number of channels that are read or compared in one slice. */
const MOST_READ = 500
const FIRST_READ = 100
/**
 * Maximum number of attempts to store a list. Another attempt is needed if other code changes channels after the
 * plan was made.
 */
const ATTEMPTS = 20

/** Result of storing a list. */
export interface StoredList {
  added: number
  changed: number
  unchanged: number
  /** Number of channels that were switched off, because the list no longer contains them. */
  gone: number
  /** Remarks on channels that did not get the number that the list requests. */
  mended: Remark[]
}

/** Thrown when the list was deleted during its import. */
export class ListRemovedError extends Error {
  override name = 'ListRemovedError'
}

/** Thrown when other code has changed channels since the plan was made. */
class OutdatedPlan extends Error {
  override name = 'OutdatedPlan'
}

type Row = typeof channels.$inferSelect
type Parts = Pick<Context, 'db' | 'connection' | 'clock'>

/** Semaphore for each database of this process. Only one import at a time stores its list. */
const storing = new WeakMap<Database, Semaphore>()

/**
 * Updates the channels of a list in slices, each in its own transaction (docs/decisions/0035). First makes a plan:
 * which stored channel each listed channel updates, and all channel numbers. Makes a new plan if other code, such
 * as an import in another process, changes channels in the meantime. An interruption leaves each channel either
 * unchanged or fully updated. The next import continues from there.
 *
 * @throws ChannelListError when no usable channel of the list is left; nothing changes then. ListRemovedError
 */
export async function storeList(
  parts: Parts,
  list: ListRow,
  listed: readonly ListedChannel[],
  { signal, onShare }: { signal: AbortSignal; onShare(share: number): void },
): Promise<StoredList> {
  const { db } = parts
  const semaphore = storing.get(db) ?? new Semaphore(1)
  storing.set(db, semaphore)
  return await semaphore.run(async () => {
    const done: Done = { added: new Set(), changed: new Set(), gone: new Set() }
    for (let attempt = 1; ; attempt++) {
      const plan = await planList(db, list, listed, signal)
      try {
        await new ListWriter(parts, list, plan, done).write(signal, onShare)
        const added = done.added.size
        const changed = [...done.changed].filter((id) => !done.added.has(id)).length
        const unchanged = listed.length - added - changed
        return { added, changed, unchanged, gone: done.gone.size, mended: plan.mended }
      } catch (error) {
        const isOutdated = error instanceof OutdatedPlan || isUniqueViolation(error)
        if (!isOutdated || attempt === ATTEMPTS) throw error
      }
    }
  })
}

/** Ids of the channels that have been written so far. */
interface Done {
  added: Set<number>
  changed: Set<number>
  gone: Set<number>
}

/** A listed channel with its assigned number. */
interface Planned {
  channel: ListedChannel
  number: number
  /** Number that an operator had set when the plan was made; undefined for none. */
  heldNumber: number | undefined
}

interface ListPlan {
  /** Highest id of the list's channels when the plan was made. */
  newest: number
  added: Planned[]
  /** Channels to update, by id, in the order of their new numbers. */
  changed: Map<number, Planned>
  /** Ids of channels to switch off. */
  going: Set<number>
  /** Ids of channels that an earlier import switched off. */
  gone: Set<number>
  mended: Remark[]
}

async function planList(
  db: Database,
  list: ListRow,
  listed: readonly ListedChannel[],
  signal: AbortSignal,
): Promise<ListPlan> {
  const pace = new Pace(MOST_READ, FIRST_READ)
  const known = await readInSlices(
    pace,
    async (after, most) =>
      await db
        .select()
        .from(channels)
        .where(and(eq(channels.listId, list.id), gt(channels.id, after)))
        .orderBy(asc(channels.id))
        .limit(most),
  )
  if (listed.length === 0 && known.some(({ goneSince }) => goneSince === null))
    throw new ChannelListError('It has no usable channel. Is it an error page?')
  const others = await readInSlices(
    pace,
    async (after, most) =>
      await db
        .select({ id: channels.id, number: channels.number })
        .from(channels)
        .where(and(or(isNull(channels.listId), ne(channels.listId, list.id)), gt(channels.id, after)))
        .orderBy(asc(channels.id))
        .limit(most),
  )
  const rows = new Map(known.map((row) => [row.id, row]))
  const pairs = matchChannels(
    listed,
    known.map(
      ({ id, names, guideId, source }): KnownChannel => ({
        id,
        // Match by the name in the list, because an operator may have changed the channel's name.
        name: source?.listName ?? Object.values(names)[0] ?? '',
        guideId: source?.listGuideId ?? guideId,
        address: source?.address ?? '',
      }),
    ),
  )
  const paired = pairs.map((pair) => rows.get(pair?.id ?? 0))
  const numbers = giveNumbers(
    listed.map(({ number }, index) => ({
      wish: paired[index]?.held.number ?? number,
      had: positive(paired[index]?.number),
    })),
    new Set(others.map(({ number }) => number)),
    list.defaults.firstNumber ?? 1,
  )
  const kept = new Set(paired)
  const left = known.filter((row) => !kept.has(row))
  const plan: ListPlan = {
    newest: known.at(-1)?.id ?? 0,
    added: [],
    changed: new Map(),
    going: new Set(left.flatMap(({ id, goneSince }) => (goneSince === null ? [id] : []))),
    gone: new Set(left.flatMap(({ id, goneSince }) => (goneSince === null ? [] : [id]))),
    mended: listed.flatMap(({ line, number, name }, index) =>
      number !== null && paired[index]?.held.number === undefined && number !== numbers[index]
        ? [{ line, reason: `Number ${number} is taken; ${name} gets ${numbers[index]}.` }]
        : [],
    ),
  }
  const changed: [number, Planned][] = []
  const compare = (channel: ListedChannel, index: number): void => {
    const row = paired[index]
    const planned = { channel, number: numbers[index] ?? 0, heldNumber: row?.held.number }
    if (!row) plan.added.push(planned)
    else if (row.goneSince !== null || !isSame(fieldsOf(planned, list, row), row))
      changed.push([row.id, planned])
  }
  await pace.over(
    listed,
    async (some, from) => {
      for (const [index, channel] of some.entries()) compare(channel, from + index)
    },
    signal,
  )
  plan.changed = new Map(changed.sort(([, one], [, other]) => one.number - other.number))
  return plan
}

async function readInSlices<Read extends { id: number }>(
  pace: Pace,
  read: (after: number, most: number) => Promise<Read[]>,
): Promise<Read[]> {
  const all: Read[] = []
  for (;;) {
    const isLast = await pace.slice(async (most) => {
      const some = await read(all.at(-1)?.id ?? 0, most)
      all.push(...some)
      return some.length < most
    })
    if (isLast) return all
  }
}

/** Writes a plan, slice by slice. */
class ListWriter {
  readonly #parts: Parts
  readonly #list: ListRow
  readonly #plan: ListPlan
  readonly #done: Done
  readonly #pace: Pace
  /** Ids of channels whose number another channel has taken. The next slice gives them their new numbers first. */
  #aside: number[] = []

  constructor(parts: Parts, list: ListRow, plan: ListPlan, done: Done) {
    this.#parts = parts
    this.#list = list
    this.#plan = plan
    this.#done = done
    this.#pace = new Pace(MOST_CHANNELS[parts.connection.kind], FIRST_CHANNELS)
  }

  /** @throws OutdatedPlan, ListRemovedError */
  async write(signal: AbortSignal, onShare: (share: number) => void): Promise<void> {
    const { added, changed, going } = this.#plan
    const total = added.length + changed.size + going.size
    const slice = async (work: (most: number) => Promise<void>): Promise<void> => {
      signal.throwIfAborted()
      await this.#pace.slice(work)
      onShare(1 - (added.length + changed.size + going.size) / total)
    }
    while (changed.size > 0) await slice(async (most) => await this.#change(most))
    const { package: key } = this.#list.defaults
    const packageId = key === undefined ? undefined : await ensurePackage(this.#parts.db, key, { fra: key })
    while (added.length > 0) await slice(async (most) => await this.#add(most, packageId))
    while (going.size > 0) await slice(async (most) => await this.#switchOff(most))
  }

  async #change(most: number): Promise<void> {
    const { changed } = this.#plan
    const ids = firstOf(new Set([...this.#aside, ...firstOf(changed.keys(), most)]), most)
    const { moved, found } = await this.#transaction(async (tx) => {
      // Read the stored values again: values that an operator has set since the plan was made have precedence.
      const rows = await tx
        .select()
        .from(channels)
        .where(inArray(channels.id, ids))
        .orderBy(asc(channels.id))
        .for('update')
      const written = rows.flatMap((row) => {
        const planned = changed.get(row.id)
        if (planned?.heldNumber !== row.held.number) throw new OutdatedPlan()
        return planned ? [{ row, fields: { id: row.id, ...fieldsOf(planned, this.#list, row) } }] : []
      })
      const wanted = written.flatMap(({ row, fields }) => (row.number === fields.number ? [] : fields.number))
      const robbed = await this.#freeNumbers(tx, wanted)
      await bringUpToDate(
        tx,
        written.map(({ fields }) => fields),
      )
      return { moved: robbed, found: rows.map(({ id }) => id) }
    })
    for (const id of ids) changed.delete(id)
    for (const id of found) this.#done.changed.add(id)
    this.#aside = [...new Set([...this.#aside, ...moved])].filter((id) => changed.has(id))
  }

  async #add(most: number, packageId: number | undefined): Promise<void> {
    const { added } = this.#plan
    const some = added.slice(0, most)
    const made = await this.#transaction(async (tx) => {
      await this.#freeNumbers(
        tx,
        some.map(({ number }) => number),
      )
      const rows = await tx
        .insert(channels)
        .values(
          some.map((planned) => ({
            ...fieldsOf(planned, this.#list, undefined),
            sourceKey: `list ${this.#list.id} ${crypto.randomUUID()}`,
            listId: this.#list.id,
          })),
        )
        .returning({ id: channels.id })
      const ids = rows.map(({ id }) => id)
      if (packageId !== undefined) await putChannelsInPackage(tx, packageId, ids)
      return ids
    })
    added.splice(0, some.length)
    for (const id of made) this.#done.added.add(id)
    this.#plan.newest = Math.max(this.#plan.newest, ...made)
  }

  async #switchOff(most: number): Promise<void> {
    const ids = firstOf(this.#plan.going, most)
    await this.#transaction(async (tx) => await this.#setGone(tx, ids))
    for (const id of ids) this.#plan.going.delete(id)
  }

  /**
   * Frees numbers that channels of the list have, by giving these channels negative numbers. Switches off channels
   * that the new list does not contain.
   *
   * @returns the ids of the channels that lost their number.
   */
  async #freeNumbers(tx: Transaction, numbers: readonly number[]): Promise<number[]> {
    if (numbers.length === 0) return []
    const { changed, going, gone } = this.#plan
    const robbed = await tx
      .update(channels)
      // The number only has to be unique. No call looks up negative numbers.
      .set({ number: sql`-${channels.id}` })
      .where(and(eq(channels.listId, this.#list.id), inArray(channels.number, [...numbers])))
      .returning({ id: channels.id })
    const ids = robbed.map(({ id }) => id)
    if (ids.some((id) => !changed.has(id) && !going.has(id) && !gone.has(id))) throw new OutdatedPlan()
    const leaving = ids.filter((id) => going.has(id))
    if (leaving.length > 0) await this.#setGone(tx, leaving)
    return ids
  }

  async #setGone(tx: Transaction, ids: readonly number[]): Promise<void> {
    const rows = await tx
      .update(channels)
      .set({ goneSince: this.#parts.clock.now() })
      .where(and(inArray(channels.id, [...ids]), isNull(channels.goneSince)))
      .returning({ id: channels.id })
    for (const { id } of rows) this.#done.gone.add(id)
  }

  /**
   * Runs a transaction that locks the list.
   *
   * @throws ListRemovedError; OutdatedPlan when another import has added channels to the list
   */
  async #transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return await retryOnDeadlock(
      async () =>
        await this.#parts.db.transaction(async (tx) => {
          const isList = eq(channelLists.id, this.#list.id)
          const [held] = await tx
            .select({ id: channelLists.id })
            .from(channelLists)
            .where(isList)
            .for('update')
          if (!held) throw new ListRemovedError('The list was removed meanwhile.')
          const [newer] = await tx
            .select({ id: channels.id })
            .from(channels)
            .where(and(eq(channels.listId, this.#list.id), gt(channels.id, this.#plan.newest)))
            .limit(1)
          if (newer) throw new OutdatedPlan()
          return await work(tx)
        }),
    )
  }
}

function firstOf(ids: Iterable<number>, most: number): number[] {
  const first: number[] = []
  for (const id of ids) {
    if (first.length === most) break
    first.push(id)
  }
  return first
}

/** Updates channels to the values of the list. Does not recreate a channel that was deleted in the meantime. */
async function bringUpToDate(tx: Transaction, changed: readonly ({ id: number } & Fields)[]): Promise<void> {
  const rows = changed.map(
    ({ mainGenre, moralityLevel, timeshiftSeconds, guideId, logoAddress, ...others }) => ({
      ...others,
      main_genre: mainGenre,
      morality_level: moralityLevel,
      timeshift_seconds: timeshiftSeconds,
      guide_id: guideId,
      logo_address: logoAddress,
    }),
  )
  await tx
    .update(channels)
    .set({
      number: sql`given.number`,
      kind: sql`given.kind`,
      names: sql`given.names`,
      descriptions: sql`given.descriptions`,
      color: sql`given.color`,
      free: sql`given.free`,
      radio: sql`given.radio`,
      tags: sql`given.tags`,
      mainGenre: sql`given.main_genre`,
      moralityLevel: sql`given.morality_level`,
      timeshiftSeconds: sql`given.timeshift_seconds`,
      guideId: sql`given.guide_id`,
      source: sql`given.source`,
      logoAddress: sql`given.logo_address`,
      // Remove the logo if its address has changed.
      logoImage: sql`case when ${channels.logoAddress} is not distinct from given.logo_address then ${channels.logoImage} end`,
      goneSince: null,
    })
    .from(sql`jsonb_populate_recordset(null::channels, ${JSON.stringify(rows)}::jsonb) as given`)
    .where(eq(channels.id, sql`given.id`))
}

/** Returns a channel's number; null if the number is negative, because another channel has taken it. */
function positive(number: number | undefined): number | null {
  return number !== undefined && number > 0 ? number : null
}

type Fields = ReturnType<typeof fieldsOf>

/** Returns the values that a list sets on its new channels only. Channels with the mark of adults get the level 6. */
export function initialFields(
  { free = false, moralityLevel = 0 }: ListRow['defaults'],
  adult: boolean,
): Pick<ChannelFields, 'free' | 'moralityLevel' | 'timeshiftSeconds'> {
  return { free, moralityLevel: adult ? 6 : moralityLevel, timeshiftSeconds: null }
}

/** Returns the values to store for a channel of a list. Values of the operator override values of the list. */
function fieldsOf({ channel, number }: Planned, { defaults }: ListRow, row: Row | undefined) {
  const { name, groups, kind, radio, adult, guideId, source, logo } = channel
  const isRecorded = row?.source?.record === true
  const initial = initialFields(defaults, adult)
  const { free, moralityLevel, timeshiftSeconds } = row ?? initial
  const hasMark = adult || row?.source?.listAdult === true
  const listed: ChannelFields = {
    number,
    names: { fra: name, eng: name },
    descriptions: row?.descriptions ?? {},
    color: row?.color ?? colorOf(name),
    free,
    radio,
    tags: groups,
    mainGenre: groups[0] ?? '',
    moralityLevel: hasMark ? initial.moralityLevel : moralityLevel,
    timeshiftSeconds,
    guideId,
  }
  return {
    ...listed,
    ...row?.held,
    number,
    kind: isRecorded ? 'live' : kind,
    source: {
      ...source,
      ...(isRecorded && { record: true as const }),
      listName: name,
      listGuideId: guideId,
      listAdult: adult,
    },
    logoAddress: logo,
  }
}

function isSame(fields: Fields, row: Row): boolean {
  return Object.entries(fields).every(([key, value]) => canonical(value) === canonical(row[key as keyof Row]))
}

/**
 * Returns JSON with sorted keys. The database does not keep the order of keys, so this makes values comparable.
 */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
}

const COLORS = ['#8fe9d6', '#f2b880', '#9db8ff', '#e69ac4', '#b8d977', '#f0d264', '#c3a6ff', '#79c9e8']

/** Returns a colour for a channel without one. The same name always gives the same colour. */
function colorOf(name: string): string {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521
  return COLORS[sum % COLORS.length] ?? '#8fe9d6'
}
