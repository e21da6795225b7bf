import { DEFAULT_LANGUAGE, isLanguage, type Language } from '@ondine/contract/languages'
import { HEARTBEAT_SECONDS } from '@ondine/contract/playback'
import { and, eq, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { LocalisedText } from '../../../database/columns.ts'
import type { Database, Transaction } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import { textIn } from '../../../metadata/texts.ts'
import { channels } from '../../inventory/line-up/line-up.table.ts'
import { recordedProgrammes } from '../../inventory/recorded-programmes/recorded-programmes.table.ts'
import { assets } from '../../inventory/titles/titles.table.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { devices } from '../../people/devices/devices.table.ts'
import { listProfiles } from '../../people/profiles/profiles.service.ts'
import { isVisible, UNRATED } from '../../rights/entitlements/entitlements.service.ts'
import { recordings } from '../recordings/recordings.table.ts'
import { playing } from './playing.table.ts'

/** A session without heartbeats for this long no longer counts, in milliseconds. */
export const SILENCE_MS = 4.5 * HEARTBEAT_SECONDS * 1000

/** Account and device of a session. */
interface SessionHolder {
  accountId: number
  /** Null for a client without a registered device: its sign-in counts as the device. */
  deviceId: number | null
  signIn: string
}

/** Session that starts. */
export interface Beginning extends SessionHolder {
  sessionId: string
  /** Profile that watches. A refusal lists the other sessions, with only the titles that this profile may see. */
  profileId: number
  content: { assetId: number } | { channelId: number } | { recordingId: number }
}

/**
 * Counts a starting session among the sessions of the account. A device plays only one thing, so its previous
 * session ends. For a client without a registered device, its sign-in counts as the device.
 *
 * @param most maximum number of concurrent sessions; 0 for no limit.
 * @param now milliseconds since the Unix epoch.
 * @throws ServiceError tooManySessions with the titles and devices that are playing; noDeviceLinked when the
 * device was removed
 */
export async function beginPlaying(
  db: Database,
  beginning: Beginning,
  most: number,
  language: Language,
  now: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    // Locks the account, so that the second of two concurrent starts counts the first one.
    await tx
      .select({ id: accounts.id })
      .from(accounts)
      .where(eq(accounts.id, beginning.accountId))
      .for('update')
    await forgetSilent(tx, beginning, now)
    await tx.delete(playing).where(here(beginning))
    await count(tx, beginning, most, language, now)
  })
}

/**
 * Counts a session again after it was silent, or after it lost its seat to another session. A device with several
 * sessions counts once. A sign-in without a registered device plays only the session that started last.
 *
 * @param mostOf maximum number of concurrent sessions, by storefront; 0 for no limit.
 * @param now milliseconds since the Unix epoch.
 * @throws ServiceError tooManySessions with the titles and devices that are playing; noDeviceLinked when the
 * device was removed; tokenInvalid when the account was removed
 */
export async function resumePlaying(
  db: Database,
  beginning: Beginning,
  mostOf: (storefrontId: number) => number,
  now: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [account] = await tx
      .select({ storefrontId: accounts.storefrontId, language: accounts.language })
      .from(accounts)
      .where(eq(accounts.id, beginning.accountId))
      .for('update')
    if (!account) throw new ServiceError('tokenInvalid')
    if ((await tx.$count(playing, eq(playing.id, beginning.sessionId))) > 0) return
    const language = isLanguage(account.language) ? account.language : DEFAULT_LANGUAGE
    const most = mostOf(account.storefrontId)
    await forgetSilent(tx, beginning, now)
    if (beginning.deviceId !== null) await tx.delete(playing).where(here(beginning))
    else if (most > 0 && (await tx.$count(playing, here(beginning))) > 0)
      await refuse(tx, beginning, language)
    await count(tx, beginning, most, language, now)
  })
}

/** Returns the id of the session in which a device, or a client without a device, already plays this content. */
export async function playingHere(
  db: Database,
  beginning: Omit<Beginning, 'sessionId' | 'profileId'>,
): Promise<string | undefined> {
  const { content } = beginning
  const [row] = await db
    .select({ id: playing.id })
    .from(playing)
    .where(and(here(beginning), plays(content)))
  return row?.id
}

/** Returns whether a session counts for the limit of its account. */
export async function isCounted(db: Database, sessionId: string): Promise<boolean> {
  return (await db.$count(playing, eq(playing.id, sessionId))) > 0
}

function plays(content: Beginning['content']): SQL {
  if ('assetId' in content) return eq(playing.assetId, content.assetId)
  if ('recordingId' in content) return eq(playing.recordingId, content.recordingId)
  return eq(playing.channelId, content.channelId)
}

/** Returns the condition for the sessions on the same device, or of the same sign-in if the client has no device. */
function here({ accountId, deviceId, signIn }: SessionHolder): SQL | undefined {
  return and(
    eq(playing.accountId, accountId),
    deviceId === null
      ? and(isNull(playing.deviceId), eq(playing.signIn, signIn))
      : eq(playing.deviceId, deviceId),
  )
}

async function forgetSilent(tx: Transaction, { accountId }: Beginning, now: number): Promise<void> {
  await tx.delete(playing).where(and(eq(playing.accountId, accountId), lte(playing.seenAt, now - SILENCE_MS)))
}

async function count(
  tx: Transaction,
  beginning: Beginning,
  most: number,
  language: Language,
  now: number,
): Promise<void> {
  const { sessionId, accountId, deviceId, signIn, content } = beginning
  if (deviceId !== null) await requireRegistered(tx, accountId, deviceId)
  if (most > 0 && (await tx.$count(playing, eq(playing.accountId, accountId))) >= most)
    await refuse(tx, beginning, language)
  await tx.insert(playing).values({ id: sessionId, accountId, deviceId, signIn, seenAt: now, ...content })
}

async function refuse(tx: Transaction, beginning: Beginning, language: Language): Promise<never> {
  throw new ServiceError('tooManySessions', { sessions: await whatPlays(tx, beginning, language) })
}

async function requireRegistered(tx: Transaction, accountId: number, deviceId: number): Promise<void> {
  const there = await tx.$count(devices, and(eq(devices.id, deviceId), eq(devices.accountId, accountId)))
  if (there === 0) throw new ServiceError('noDeviceLinked')
}

/**
 * Returns the sessions of an account for display, each with its title and device. The title is empty if it is
 * hidden from the reading profile (spec 27), or if the profile that plays was deleted.
 */
async function whatPlays(
  tx: Transaction,
  { accountId, profileId }: Pick<Beginning, 'accountId' | 'profileId'>,
  language: Language,
): Promise<{ device: string; title: string }[]> {
  const reader = (await listProfiles(tx, accountId)).find(({ id }) => id === profileId)
  const rows = await tx
    .select({
      device: devices.name,
      titles: sql<LocalisedText | null>`coalesce(${assets.titles}, ${recordedProgrammes.titles})`,
      names: channels.names,
      titleLevel: sql<number | null>`coalesce(${assets.moralityLevel}, ${recordedProgrammes.moralityLevel})`,
      channelLevel: channels.moralityLevel,
      adult: sql<boolean | null>`coalesce(${assets.adult}, ${recordedProgrammes.adult})`,
    })
    .from(playing)
    .leftJoin(devices, eq(devices.id, playing.deviceId))
    .leftJoin(recordings, eq(recordings.id, playing.recordingId))
    .leftJoin(recordedProgrammes, eq(recordedProgrammes.id, recordings.recordedProgrammeId))
    .leftJoin(assets, eq(assets.id, sql`coalesce(${playing.assetId}, ${recordedProgrammes.assetId})`))
    .leftJoin(channels, eq(channels.id, playing.channelId))
    .where(eq(playing.accountId, accountId))
    // `seenAt` alone gives no order, because many sessions have the same `seenAt`.
    .orderBy(playing.seenAt, playing.deviceId, playing.id)
  return rows.map(({ device, titles, names, titleLevel, channelLevel, adult }) => {
    const moralityLevel = titleLevel ?? channelLevel ?? UNRATED.moralityLevel
    const isShown = reader !== undefined && isVisible(reader, { moralityLevel, adult: adult ?? false })
    return { device: device ?? '', title: isShown ? textIn(titles ?? names ?? {}, language) : '' }
  })
}

/**
 * Records which sessions are still active, in one statement.
 *
 * @returns the ids of the sessions that count. The other sessions have ended, have lost their seats, or were silent for
 * too long
 */
export async function notePlaying(
  db: Database,
  ids: readonly string[],
  now: number,
): Promise<ReadonlySet<string>> {
  const noted = await db
    .update(playing)
    .set({ seenAt: now })
    .where(sql`${playing.id} = any(${sql.param(`{${ids.map((id) => `"${id}"`).join(',')}}`)}::text[])`)
    .returning({ id: playing.id })
  return new Set(noted.map(({ id }) => id))
}

/** Ends a session. Another session of the account can then start. */
export async function endPlaying(db: Database, sessionId: string): Promise<void> {
  await db.delete(playing).where(eq(playing.id, sessionId))
}

/** Ends playback on a device of an account. */
export async function endPlayingOn(db: Database, accountId: number, deviceId: number): Promise<void> {
  await db.delete(playing).where(and(eq(playing.accountId, accountId), eq(playing.deviceId, deviceId)))
}

/** Deletes the sessions that have sent no heartbeat after `since`. @returns the number of deleted sessions */
export async function forgetPlaying(db: Database, since: number): Promise<number> {
  const gone = await db.delete(playing).where(lte(playing.seenAt, since)).returning({ id: playing.id })
  return gone.length
}

/** Removes the sessions of a deleted account. */
export async function forgetPlayingOf(tx: Transaction, accountId: number): Promise<void> {
  await tx.delete(playing).where(eq(playing.accountId, accountId))
}
