import { and, asc, count, eq, gt, isNull, ne } from 'drizzle-orm'
import type { Context } from '../../../context.ts'
import type { Transaction } from '../../../database/connection.ts'
import { retryOnDeadlock } from '../../../database/retry-on-deadlock.ts'
import { SourceError } from '../../../outbound/open-source.ts'
import type { ChannelFields } from '../../inventory/line-up/channel-fields.ts'
import { broadcasts, channelLists, channels, liveInputs } from '../../inventory/line-up/line-up.table.ts'
import { recordedProgrammes } from '../../inventory/recorded-programmes/recorded-programmes.table.ts'
import { recordRun } from '../guide-import/import-runs.service.ts'
import { ChannelListError, looksLikeTransportStream } from './channel-list.ts'
import type { ListRow } from './channel-lists.service.ts'
import { importList, type ListImport } from './import-list.ts'
import { initialFields, ListRemovedError } from './store-list.ts'

/** Fields that an operator may set by hand. */
export type ChannelChange = Partial<ChannelFields> & { enabled?: boolean }

/** Thrown for an impossible change of a channel, with the reason as text. */
export class ChannelChangeError extends Error {
  override name = 'ChannelChangeError'
}

/** A channel with the fields for operators. */
export interface OperatedChannel {
  id: number
  /** Number of the channel. Negative if another channel has taken the number. */
  number: number
  name: string
  kind: 'library' | 'relay' | 'live'
  /** Whether viewers see the channel (`on`). The other values give the reason why they do not. */
  state: 'on' | 'switched off' | 'gone from its list' | 'has no input'
  /** Whether the channel is a relay that very likely gets MPEG-TS, and so cannot play. */
  looksLikeTransportStream: boolean
  guideId: string | null
  address: string | null
  list: string | null
}

/** Returns all channels by number, including channels that viewers do not see. */
export async function listAllChannels({ db }: Pick<Context, 'db'>): Promise<OperatedChannel[]> {
  const rows = await db
    .select({ channel: channels, list: channelLists.name, inputId: liveInputs.id })
    .from(channels)
    .leftJoin(channelLists, eq(channelLists.id, channels.listId))
    .leftJoin(liveInputs, eq(liveInputs.channelId, channels.id))
    .orderBy(asc(channels.number))
  return rows.map(({ channel, list, inputId }) => ({
    id: channel.id,
    number: channel.number,
    name: nameOf(channel),
    kind: channel.kind,
    state: stateOf(channel, inputId !== null),
    looksLikeTransportStream:
      channel.kind === 'relay' && channel.source !== null && looksLikeTransportStream(channel.source),
    guideId: channel.guideId,
    address: channel.source?.address ?? null,
    list,
  }))
}

function stateOf(
  { enabled, goneSince, kind }: typeof channels.$inferSelect,
  hasInput: boolean,
): OperatedChannel['state'] {
  if (!enabled) return 'switched off'
  if (goneSince !== null) return 'gone from its list'
  return kind === 'live' && !hasInput ? 'has no input' : 'on'
}

/**
 * Sets fields of a channel. Imports no longer change these fields.
 *
 * @param change the fields to set. `null` lets imports change all fields of the channel again, and enables the
 * channel. Fields that imports set on new channels only get the list's values at once.
 * @returns the channel's name.
 * @throws ChannelChangeError
 */
export async function changeChannel(
  { db }: Pick<Context, 'db'>,
  number: number,
  change: ChannelChange | null,
): Promise<string> {
  return await retryOnDeadlock(
    async () =>
      await db.transaction(async (tx) => {
        const [row] = await tx.select().from(channels).where(eq(channels.number, number)).for('update')
        if (!row) throw new ChannelChangeError(`There is no channel ${number}.`)
        const name = nameOf(row)
        if (change === null) {
          await tx
            .update(channels)
            .set({ ...(await initialOfHeld(tx, row)), held: {}, enabled: true })
            .where(eq(channels.id, row.id))
          return name
        }
        if (Object.keys(change).length === 0)
          throw new ChannelChangeError('Give at least one property to set.')
        if (change.number !== undefined) {
          const [holder] = await tx
            .select({ id: channels.id })
            .from(channels)
            .where(and(eq(channels.number, change.number), ne(channels.id, row.id)))
          if (holder) throw new ChannelChangeError(`Number ${change.number} belongs to another channel.`)
        }
        const { enabled = row.enabled, ...fields } = change
        await tx
          .update(channels)
          .set({ ...fields, enabled, held: { ...row.held, ...fields } })
          .where(eq(channels.id, row.id))
        return change.names?.fra ?? name
      }),
  )
}

/** Returns the values of a new channel for the set fields that no import changes on a stored channel. */
async function initialOfHeld(
  tx: Transaction,
  { listId, source, held }: typeof channels.$inferSelect,
): Promise<ChannelChange> {
  if (listId === null) return {}
  const [list] = await tx
    .select({ defaults: channelLists.defaults })
    .from(channelLists)
    .where(eq(channelLists.id, listId))
  const isAdult = source?.listAdult
  const initial = initialFields(list?.defaults ?? {}, isAdult === true)
  // While the mark is unknown, the default level could open a channel for adults to children.
  const isKnown = (key: string): boolean => key !== 'moralityLevel' || isAdult !== undefined
  return Object.fromEntries(Object.entries(initial).filter(([key]) => key in held && isKnown(key)))
}

/** A channel that may be removed. */
export interface RemovableChannel {
  id: number
  name: string
  /** Number of programmes of the channel that viewers record or have recorded. */
  recorded: number
  /** Number of events that the channel carries or has carried. */
  events: number
}

/**
 * Returns the channel with a number, if it can be removed.
 *
 * @throws ChannelChangeError if there is no such channel, or if the channel is in a list, whose next import would
 * create it again
 */
export async function findRemovable({ db }: Pick<Context, 'db'>, number: number): Promise<RemovableChannel> {
  const [row] = await db.select().from(channels).where(eq(channels.number, number))
  if (!row) throw new ChannelChangeError(`There is no channel ${number}.`)
  if (row.listId !== null)
    throw new ChannelChangeError(
      `Channel ${number} is in a list, whose next import would create it again. \`channels set ${number} --on no\` hides it from viewers.`,
    )
  return {
    id: row.id,
    name: nameOf(row),
    recorded: await db.$count(recordedProgrammes, eq(recordedProgrammes.channelId, row.id)),
    events: await db.$count(broadcasts, eq(broadcasts.channelId, row.id)),
  }
}

/** Returns the number of programmes of a channel that viewers record and that are not over. */
export async function countOpenRecordings(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  number: number,
): Promise<number> {
  const [row] = await db
    .select({ programmes: count() })
    .from(recordedProgrammes)
    .innerJoin(channels, eq(channels.id, recordedProgrammes.channelId))
    .where(
      and(
        eq(channels.number, number),
        gt(recordedProgrammes.pinnedTo, clock.now()),
        isNull(recordedProgrammes.droppedAt),
      ),
    )
  return row?.programmes ?? 0
}

function nameOf({ names }: Pick<typeof channels.$inferSelect, 'names'>): string {
  return names.fra ?? Object.values(names)[0] ?? ''
}

/**
 * Imports a list now, and stores the result.
 *
 * @throws ChannelListError, SourceError, ListRemovedError
 */
export async function runList(
  context: Pick<Context, 'db' | 'connection' | 'images' | 'clock' | 'settings' | 'log'>,
  list: ListRow,
  { signal, onProgress }: { signal: AbortSignal; onProgress(text: string, percent: number): void },
): Promise<ListImport> {
  return await recordRun(
    context,
    { listId: list.id },
    async (onPercent) =>
      await importList(context, list, {
        signal,
        onProgress: (text, percent) => {
          onPercent(percent)
          onProgress(text, percent)
        },
      }),
    ({ refused, mended, guides: _guides, ...counts }) => ({
      counts: { ...counts, refused: refused.length },
      remarks: [...refused, ...mended],
    }),
    listFailure,
  )
}

/** Returns the reason why an import failed, as text. Undefined for an internal error. */
export function listFailure(error: unknown): string | undefined {
  const isTheirs =
    error instanceof ChannelListError || error instanceof SourceError || error instanceof ListRemovedError
  return isTheirs ? error.message : undefined
}
