import { readFile, stat } from 'node:fs/promises'
import { and, eq, exists } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { broadcasts, channels } from '../../inventory/line-up/line-up.table.ts'
import { assets, medias } from '../../inventory/titles/titles.table.ts'
import type { StoredAsset } from './catalogue-entries.ts'

const MOST_BYTES = 1000

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
 * Stores that a channel carries an event, in place of its film if it has one. An event that is over stays on the channel
 * that carried it, because channels may get other numbers.
 *
 * @returns whether the event is over, and another channel carried it
 * @throws Error with a reason for the operator
 */
export async function putBroadcast(
  tx: Transaction,
  { id, startsAt, endsAt }: Pick<StoredAsset, 'id' | 'startsAt' | 'endsAt'>,
  channelId: number,
  now: number,
): Promise<boolean> {
  if (startsAt === null || endsAt === null)
    throw new Error('its metadata file has no <starts> and <ends>, which tell when the channel carries it')
  // No sweep removes the media of the event while its times change.
  await tx.select({ id: channels.id }).from(channels).where(eq(channels.id, channelId)).for('key share')
  await tx.delete(medias).where(and(eq(medias.assetId, id), eq(medias.kind, 'main')))
  await tx
    .update(assets)
    .set({ durationSeconds: (endsAt - startsAt) / 1000, availability: 'ready' })
    .where(eq(assets.id, id))
  const [known] = await tx.select().from(broadcasts).where(eq(broadcasts.assetId, id))
  if (known?.channelId === channelId) return false
  if (known && endsAt <= now) return true
  await tx
    .insert(broadcasts)
    .values({ assetId: id, channelId })
    .onConflictDoUpdate({ target: broadcasts.assetId, set: { channelId } })
  return false
}

/** Ends the broadcast of a title that has a film. Until the film is prepared, the title stays on its channel. */
export async function endBroadcast(tx: Transaction, assetId: number): Promise<void> {
  const film = tx
    .select({ id: medias.id })
    .from(medias)
    .where(and(eq(medias.assetId, assetId), eq(medias.kind, 'main')))
  await tx.delete(broadcasts).where(and(eq(broadcasts.assetId, assetId), exists(film)))
}
