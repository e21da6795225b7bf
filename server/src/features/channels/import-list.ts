import { isUtf8 } from 'node:buffer'
import { isIP } from 'node:net'
import { and, eq, inArray, isNull, ne, notInArray, or, sql } from 'drizzle-orm'
import type { Context } from '../../context.ts'
import type { Transaction } from '../../database/connection.ts'
import { despiteDeadlock } from '../../database/despite-deadlock.ts'
import { decodeText } from '../../ingest/text-encoding.ts'
import { checkAddress, OutboundError, refusal } from '../../outbound/fetch-outside.ts'
import { openSource } from '../../outbound/open-source.ts'
import { privateHosts } from '../../outbound/private-hosts.ts'
import { ensurePackage, putChannelInPackage } from '../entitlements/packages.service.ts'
import type { ChannelFields } from './channel-fields.ts'
import { ChannelListError, type ListedChannel, parseChannelList, type Remark } from './channel-list.ts'
import type { ListRow } from './channel-lists.service.ts'
import { channelLists, channels } from './channels.table.ts'
import { fetchLogos } from './fetch-logos.ts'
import { giveNumbers, type KnownChannel, matchChannels } from './match-channels.ts'

const BOUNDS = { maxBytes: 64_000_000, maxUnpackedBytes: 128_000_000, maxMilliseconds: 120_000 }
/** Rows in one statement. */
const BATCH = 500

/** What an import of a list came to. */
export interface ListImport {
  added: number
  changed: number
  unchanged: number
  /** Switched off, because the list has them no more. */
  gone: number
  /** Lines that were not taken. */
  refused: Remark[]
  /** Lines that were taken otherwise than they stand there. */
  mended: Remark[]
  /** Names of channels that wait for a worker, with their addresses' schemes. */
  live: number
  /** Addresses of guides that the list names. */
  guides: string[]
}

/**
 * Takes a list of channels (M3U) from a file or an address. A channel keeps its identity as long as something of it can be recognised:
 * importing again brings it up to date, and what the list has no more is switched off, never deleted. What an operator has
 * set by hand stays.
 *
 * @throws ChannelListError when it is no such list, or has no channel any more; SourceError when it cannot be read. Nothing is changed then.
 */
export async function importList(
  context: Pick<Context, 'db' | 'images' | 'clock' | 'settings' | 'log'>,
  list: ListRow,
  { signal, onProgress }: { signal: AbortSignal; onProgress(text: string, percent: number): void },
): Promise<ListImport> {
  const { db, clock, settings } = context
  const { text, base, leftOut } = await readList(list.location, settings.OUTBOUND_ALLOW, signal)
  const parsed = parseChannelList(text, base)
  const outside = await withoutPrivate(parsed.channels, settings.OUTBOUND_ALLOW)
  const single = withoutDoubles(outside.listed)
  const { listed } = single
  const refused = [...outside.refused, ...single.refused]
  onProgress('Taking channels', 10)
  const outcome = await despiteDeadlock(
    async () =>
      await db.transaction(async (tx) => {
        // Two imports of one list take turns.
        await tx
          .select({ id: channelLists.id })
          .from(channelLists)
          .where(eq(channelLists.id, list.id))
          .for('update')
        return await store(tx, list, listed, clock.now())
      }),
  )
  const missing = await fetchLogos(context, list.id, signal, (share) =>
    onProgress('Fetching logos', 20 + 80 * share),
  )
  const lines = new Map(listed.map(({ logo, line }) => [logo, line]))
  const inOrder = (remarks: Remark[]) => remarks.toSorted((one, other) => one.line - other.line)
  return {
    ...outcome.counts,
    live: listed.filter(({ kind }) => kind === 'live').length,
    refused: inOrder([...parsed.refused, ...refused]),
    mended: inOrder([
      ...parsed.mended,
      ...outcome.mended,
      ...missing.map(({ address, reason }) => ({
        line: lines.get(address) ?? 0,
        reason: `The logo is left out: ${reason}`,
      })),
      ...(leftOut === undefined ? [] : [{ line: text.trimEnd().split('\n').length, reason: leftOut }]),
    ]),
    guides: parsed.guides,
  }
}

async function readList(
  location: string,
  allow: readonly string[],
  signal: AbortSignal,
): Promise<{ text: string; base: string | undefined; leftOut: string | undefined }> {
  const { bytes, address, leftOut } = await openSource(location, { ...BOUNDS, allow }, signal)
  const chunks: Buffer[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return { text: decodeLines(Buffer.concat(chunks)), base: address, leftOut: leftOut() }
}

const LINE_FEED = 0x0a

/** Line by line where it is not of one kind: lists are put together of several, each written in its own way. */
function decodeLines(data: Buffer): string {
  // UTF-16 has zeros, and other ends of lines.
  if (isUtf8(data) || data.includes(0)) return decodeText(data, 'fra')
  const lines: string[] = []
  for (let at = 0; at <= data.length; ) {
    const end = data.indexOf(LINE_FEED, at)
    const next = end === -1 ? data.length : end
    lines.push(decodeText(data.subarray(at, next), 'fra'))
    at = next + 1
  }
  return lines.join('\n')
}

/** Leaves out relays that lead into a private network: they would never play. Live inputs are for a worker there. */
async function withoutPrivate(
  all: readonly ListedChannel[],
  allow: readonly string[],
): Promise<{ listed: ListedChannel[]; refused: Remark[] }> {
  const refused: Remark[] = []
  const relays = all.filter(({ kind }) => kind === 'relay')
  const inside = await privateHosts(
    relays.flatMap(({ source }) => hostOf(source.address) ?? []),
    allow,
  )
  const listed = all.filter(({ kind, line, source: { address } }) => {
    if (kind !== 'relay') return true
    try {
      const host = hostOf(address)
      checkAddress(address, allow)
      if (host !== undefined && inside.has(host)) throw refusal(host)
      return true
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      refused.push({ line, reason: error.message })
      return false
    }
  })
  return { listed, refused }
}

/** The host of an address by its name; undefined for one that is a number itself. */
function hostOf(address: string): string | undefined {
  const host = URL.parse(address)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  return host === '' || isIP(host) !== 0 ? undefined : host
}

/** Leaves out what the list has twice word for word: the same name at the same address. */
function withoutDoubles(all: readonly ListedChannel[]): { listed: ListedChannel[]; refused: Remark[] } {
  const first = new Map<string, number>()
  const refused: Remark[] = []
  const listed = all.filter(({ name, line, source: { address } }) => {
    const key = JSON.stringify([name, address])
    const known = first.get(key)
    if (known === undefined) first.set(key, line)
    else refused.push({ line, reason: `The same channel stands in line ${known} already.` })
    return known === undefined
  })
  return { listed, refused }
}

type Counts = Pick<ListImport, 'added' | 'changed' | 'unchanged' | 'gone'>

async function store(
  tx: Transaction,
  list: ListRow,
  listed: readonly ListedChannel[],
  now: number,
): Promise<{ counts: Counts; mended: Remark[] }> {
  const { free = false, moralityLevel = 0, firstNumber = 1, package: packageKey } = list.defaults
  const known = await tx.select().from(channels).where(eq(channels.listId, list.id))
  if (listed.length === 0 && known.some(({ goneSince }) => goneSince === null))
    throw new ChannelListError('It has no channel that can be taken. Is it an error page?')
  const rows = new Map(known.map((row) => [row.id, row]))
  const pairs = matchChannels(
    listed,
    known.map(
      ({ id, names, guideId, source }): KnownChannel => ({
        id,
        // The name in the list, whatever the operator calls the channel.
        name: source?.listName ?? Object.values(names)[0] ?? '',
        guideId: source?.listGuideId ?? guideId,
        address: source?.address ?? '',
      }),
    ),
  )
  const others = await tx
    .select({ number: channels.number })
    .from(channels)
    .where(or(isNull(channels.listId), ne(channels.listId, list.id)))
  const held = listed.map((_, index) => rows.get(pairs[index]?.id ?? 0)?.held ?? {})
  const numbers = giveNumbers(
    listed.map(({ number }, index) => ({
      wish: held[index]?.number ?? number,
      had: positive(rows.get(pairs[index]?.id ?? 0)?.number),
    })),
    new Set(others.map(({ number }) => number)),
    firstNumber,
  )
  const mended = listed.flatMap(({ line, number, name }, index) =>
    number !== null && held[index]?.number === undefined && number !== numbers[index]
      ? [{ line, reason: `Number ${number} is taken; ${name} gets ${numbers[index]}.` }]
      : [],
  )
  const counts: Counts = { added: 0, changed: 0, unchanged: 0, gone: 0 }
  const paired = new Set(pairs.flatMap((pair) => pair?.id ?? []))
  counts.gone = await switchOff(tx, list.id, paired, new Set(numbers), now)
  // Numbers go from channel to channel: each makes room first.
  const moving = listed.flatMap((_, index) => {
    const row = rows.get(pairs[index]?.id ?? 0)
    return row && row.number !== numbers[index] ? [row.id] : []
  })
  if (moving.length > 0)
    await tx
      .update(channels)
      .set({ number: sql`-${channels.id}` })
      .where(inArray(channels.id, moving))
  const added: (typeof channels.$inferInsert)[] = []
  const changed: ({ id: number } & Fields)[] = []
  for (const [index, channel] of listed.entries()) {
    const row = rows.get(pairs[index]?.id ?? 0)
    const fields = fieldsOf(channel, numbers[index] ?? 0, { free, moralityLevel }, row)
    if (!row) {
      counts.added++
      added.push({ ...fields, sourceKey: `list ${list.id} ${crypto.randomUUID()}`, listId: list.id })
    } else if (row.goneSince === null && isSame(fields, row)) {
      counts.unchanged++
    } else {
      counts.changed++
      changed.push({ id: row.id, ...fields })
    }
  }
  for (let from = 0; from < changed.length; from += BATCH)
    await bringUpToDate(tx, changed.slice(from, from + BATCH))
  const packageId =
    packageKey === undefined ? undefined : await ensurePackage(tx, packageKey, { fra: packageKey })
  for (let from = 0; from < added.length; from += BATCH) {
    const made = await tx
      .insert(channels)
      .values(added.slice(from, from + BATCH))
      .returning({ id: channels.id })
    if (packageId !== undefined) for (const { id } of made) await putChannelInPackage(tx, packageId, id)
  }
  return { counts, mended }
}

/** Switches off what the list has no more. It gives its number up where another channel gets it. */
async function switchOff(
  tx: Transaction,
  listId: number,
  kept: ReadonlySet<number>,
  numbers: ReadonlySet<number>,
  now: number,
): Promise<number> {
  const ofList = eq(channels.listId, listId)
  const left = kept.size === 0 ? ofList : and(ofList, notInArray(channels.id, [...kept]))
  const all = await tx.select({ id: channels.id, number: channels.number }).from(channels).where(left)
  const robbed = all.flatMap(({ id, number }) => (numbers.has(number) ? [id] : []))
  // Below zero nobody looks for a number.
  if (robbed.length > 0)
    await tx
      .update(channels)
      .set({ number: sql`-${channels.id}` })
      .where(inArray(channels.id, robbed))
  const gone = await tx
    .update(channels)
    .set({ goneSince: now })
    .where(and(left, isNull(channels.goneSince)))
    .returning({ id: channels.id })
  return gone.length
}

/** Changes channels to what the list says now; one that was removed meanwhile stays so. */
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
      // What an address no longer stands for is shown no longer.
      logoImage: sql`case when ${channels.logoAddress} is not distinct from given.logo_address then ${channels.logoImage} end`,
      goneSince: null,
    })
    .from(sql`jsonb_populate_recordset(null::channels, ${JSON.stringify(rows)}::jsonb) as given`)
    .where(eq(channels.id, sql`given.id`))
}

/** What a channel had as its number, unless it had given it up. */
function positive(number: number | undefined): number | null {
  return number !== undefined && number > 0 ? number : null
}

type Row = typeof channels.$inferSelect

type Fields = ReturnType<typeof fieldsOf>

/** What a channel of a list is stored with: what the list says, but for what an operator has set. */
function fieldsOf(
  channel: ListedChannel,
  number: number,
  defaults: { free: boolean; moralityLevel: number },
  row: Row | undefined,
) {
  const { name, groups, kind, radio, adult, guideId, source, logo } = channel
  const listed: ChannelFields = {
    number,
    names: { fra: name, eng: name },
    descriptions: row?.descriptions ?? {},
    color: row?.color ?? colorOf(name),
    free: row?.free ?? defaults.free,
    radio,
    tags: groups,
    mainGenre: groups[0] ?? '',
    moralityLevel: adult ? 6 : (row?.moralityLevel ?? defaults.moralityLevel),
    timeshiftSeconds: row?.timeshiftSeconds ?? null,
    guideId,
  }
  return {
    ...listed,
    ...row?.held,
    number,
    kind,
    source: { ...source, listName: name, listGuideId: guideId },
    logoAddress: logo,
  }
}

function isSame(fields: Fields, row: Row): boolean {
  return Object.entries(fields).every(([key, value]) => canonical(value) === canonical(row[key as keyof Row]))
}

/** As JSON with its keys in order: the database keeps objects in an order of its own. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
}

const COLORS = ['#8fe9d6', '#f2b880', '#9db8ff', '#e69ac4', '#b8d977', '#f0d264', '#c3a6ff', '#79c9e8']

/** A colour for a channel that brings none, the same for the same name. */
function colorOf(name: string): string {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521
  return COLORS[sum % COLORS.length] ?? '#8fe9d6'
}
