import { readFile, stat } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { broadcasts, channels } from '../../inventory/line-up/line-up.table.ts'
import { assets } from '../../inventory/titles/titles.table.ts'
import type { StoredAsset } from './catalogue-entries.ts'

const MOST_BYTES = 1000

/** Returns whether a file stands for the broadcast of an event, in place of a video. */
export function isBroadcastFile(name: string): boolean {
  return /\.strm$/i.test(name)
}

/**
 * Reads a broadcast file, which names a channel by its number: `channel:12`.
 *
 * @returns the id of the channel
 * @throws Error with a reason for the operator
 */
export async function readBroadcastFile(db: Database, path: string): Promise<number> {
  const { size } = await stat(path)
  const text = size > MOST_BYTES ? '' : (await readFile(path, 'utf8')).trim()
  const number = /^channel:\s*(?<number>\d{1,9})$/.exec(text)?.groups?.number
  if (number === undefined)
    throw new Error(
      'it does not name a channel, as in "channel:12"; use the video file itself, or make the address the input of a channel',
    )
  const [channel] = await db
    .select({ id: channels.id, kind: channels.kind })
    .from(channels)
    .where(eq(channels.number, Number(number)))
  if (!channel) throw new Error(`there is no channel with the number ${number}`)
  if (channel.kind === 'relay')
    throw new Error(
      `channel ${number} relays a stream, so nothing of it is stored; make the stream its input: inputs add ${number} --record`,
    )
  return channel.id
}

/**
 * Stores that a channel carries an event, or with `channelId` null that no channel carries the title any more.
 *
 * @returns whether a channel carried the title before
 * @throws Error with a reason for the operator
 */
export async function putBroadcast(
  tx: Transaction,
  { id, startsAt, endsAt }: Pick<StoredAsset, 'id' | 'startsAt' | 'endsAt'>,
  channelId: number | null,
): Promise<boolean> {
  if (channelId === null) {
    const gone = await tx.delete(broadcasts).where(eq(broadcasts.assetId, id)).returning()
    return gone.length > 0
  }
  if (startsAt === null || endsAt === null)
    throw new Error('its metadata file has no <starts> and <ends>, which tell when the channel carries it')
  const [known] = await tx.select().from(broadcasts).where(eq(broadcasts.assetId, id))
  if (known?.channelId !== channelId)
    await tx
      .insert(broadcasts)
      .values({ assetId: id, channelId })
      .onConflictDoUpdate({ target: broadcasts.assetId, set: { channelId } })
  await tx
    .update(assets)
    .set({ durationSeconds: (endsAt - startsAt) / 1000 })
    .where(eq(assets.id, id))
  return known !== undefined
}
