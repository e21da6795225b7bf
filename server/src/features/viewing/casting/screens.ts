import { ALIVE_SECONDS, type Screen, type ScreenState } from '@ondine/contract/casting'
import { and, asc, eq, gt, inArray, lte, or, sql } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { oneOf } from '../../../database/one-of.ts'
import { ServiceError } from '../../../http/errors.ts'
import { devices } from '../../people/devices/devices.table.ts'
import { type StoredCommand, screenCommands, screens } from './casting.table.ts'

/** Interval at which a process checks its connections and records the open ones, in milliseconds. */
export const SEEN_MS = ALIVE_SECONDS * 1000

/** A connection whose last record is older than this, in milliseconds, is lost: its process has ended. */
const LOST_MS = 3 * SEEN_MS

/**
 * Time in which a screen that reconnects still receives the commands that it missed, in milliseconds. After a
 * connection is lost, the service accepts commands for up to {@link LOST_MS}. The screen notices the loss after 2.5
 * intervals, and then connects again.
 */
const COMMAND_MS = LOST_MS + SEEN_MS

/** Maximum number of stored commands to a screen. */
const MOST_COMMANDS = 100

/** A screen, with the name of its device. */
export type ScreenRow = typeof screens.$inferSelect & { name: string }

/** A command for a screen. */
export type NumberedCommand = typeof screenCommands.$inferSelect

/** The viewer to whom the screens of an account are presented. */
export interface Onlooker {
  profileId: number
  kid: boolean
  /** Whether parental control limits the profile to a level (A6-06). */
  isLimited: boolean
  deviceId: number | null
}

/**
 * Records that a device is open as a screen. A newly opened page plays nothing, so the stored state is cleared.
 *
 * @param opening.after the last command that the page has carried out; undefined for a newly opened page
 * @returns the number of the last command that the page must not carry out again
 */
export async function openScreen(
  db: Database,
  { deviceId, accountId, connection, after }: Opening,
  now: number,
): Promise<number> {
  const values = { accountId, connection, seenAt: now }
  const [row] = await db
    .insert(screens)
    .values({ deviceId, ...values })
    .onConflictDoUpdate({
      target: screens.deviceId,
      set: { ...values, ...(after === undefined && { state: null, castBy: null }) },
    })
    .returning({ lastCommand: screens.lastCommand })
  return Math.min(after ?? Number.POSITIVE_INFINITY, row?.lastCommand ?? 0)
}

interface Opening {
  deviceId: number
  accountId: number
  connection: string
  after: number | undefined
}

/** An open connection of a screen. Statements also filter by the device, because only the device has an index. */
interface OpenConnection {
  deviceId: number
  connection: string
}

/** Records that a connection has closed. A newer connection of the same screen stays open. */
export async function closeScreen(db: Database, { deviceId, connection }: OpenConnection): Promise<void> {
  await db
    .update(screens)
    .set({ connection: null })
    .where(and(eq(screens.deviceId, deviceId), eq(screens.connection, connection)))
}

/** Records that connections are open. */
export async function noteOpen(db: Database, open: readonly OpenConnection[], now: number): Promise<void> {
  if (open.length === 0) return
  const deviceIds = open.map(({ deviceId }) => deviceId)
  const connections = open.map(({ connection }) => connection)
  await db
    .update(screens)
    .set({ seenAt: now })
    .where(
      and(
        oneOf(screens.deviceId, deviceIds),
        // One parameter, because a process may have more connections than a statement may have parameters.
        sql`${screens.connection} = any(${sql.param(`{${connections.join(',')}}`)}::text[])`,
      ),
    )
}

/** Returns the screens of some accounts, in a stable order. */
export async function screensOf(db: Database, accountIds: readonly number[]): Promise<ScreenRow[]> {
  const rows = await db
    .select({ screen: screens, name: devices.name })
    .from(screens)
    .innerJoin(devices, eq(devices.id, screens.deviceId))
    .where(inArray(screens.accountId, [...accountIds]))
    .orderBy(asc(screens.deviceId))
  return rows.map(({ screen, name }) => ({ ...screen, name }))
}

/**
 * Presents a screen. A child's profile does not see what other profiles have cast. A profile with parental control sees
 * such content without its picture. The state contains no rating, so this applies to all content. The title stays,
 * because the catalogue shows all titles to this profile.
 */
export function presentScreen(row: ScreenRow, onlooker: Onlooker, now: number): Screen {
  return {
    casDeviceId: row.deviceId,
    name: row.name,
    isConnected: isConnected(row, now),
    current: row.deviceId === onlooker.deviceId,
    state: stateFor(row, onlooker),
  }
}

function stateFor(row: Pick<ScreenRow, 'state' | 'castBy'>, onlooker: Onlooker): ScreenState | null {
  const { state, castBy } = row
  if (state === null || !mayControl(row, onlooker)) return null
  return onlooker.isLimited && castBy !== onlooker.profileId ? { ...state, image: '' } : state
}

function isConnected({ connection, seenAt }: Pick<ScreenRow, 'connection' | 'seenAt'>, now: number): boolean {
  return connection !== null && seenAt > now - LOST_MS
}

function mayControl({ castBy }: Pick<ScreenRow, 'castBy'>, { kid, profileId }: Onlooker): boolean {
  return !kid || castBy === profileId
}

/**
 * Stores a command to a screen. Concurrent commands of several devices are stored one after the other, so the last
 * one wins.
 *
 * @throws ServiceError notFound for a screen of another account, and for any command except `load` from a child's
 * profile if another profile has cast; screenNotConnected
 */
export async function sendCommand(
  db: Database,
  { deviceId, accountId, onlooker }: { deviceId: number; accountId: number; onlooker: Onlooker },
  command: StoredCommand,
  now: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    const isLoad = command.type === 'load'
    const [row] = await tx
      .update(screens)
      .set({
        lastCommand: sql`${screens.lastCommand} + 1`,
        // Clears the state: it contains a title of the profile that cast before, possibly a title for adults.
        ...(isLoad && { castBy: onlooker.profileId, state: null }),
      })
      .where(and(eq(screens.deviceId, deviceId), eq(screens.accountId, accountId)))
      .returning()
    if (!row || !(isLoad || mayControl(row, onlooker))) throw new ServiceError('notFound')
    if (!isConnected(row, now)) throw new ServiceError('screenNotConnected')
    await tx
      .delete(screenCommands)
      .where(
        and(
          eq(screenCommands.deviceId, deviceId),
          or(
            lte(screenCommands.sentAt, now - COMMAND_MS),
            lte(screenCommands.number, row.lastCommand - MOST_COMMANDS),
          ),
        ),
      )
    const { profileId } = onlooker
    await tx
      .insert(screenCommands)
      .values({ deviceId, number: row.lastCommand, profileId, command, sentAt: now })
  })
}

/** Returns the recent commands to a screen that follow the command `number`, in order. */
export async function commandsAfter(
  db: Database,
  deviceId: number,
  number: number,
  now: number,
): Promise<NumberedCommand[]> {
  return await db
    .select()
    .from(screenCommands)
    .where(
      and(
        eq(screenCommands.deviceId, deviceId),
        gt(screenCommands.number, number),
        gt(screenCommands.sentAt, now - COMMAND_MS),
      ),
    )
    .orderBy(asc(screenCommands.number))
}

/**
 * Stores the state that a screen reports after the command `number`. If newer content was sent to the screen, the
 * report is out of date and is not stored. If any newer command was sent, `castBy` is not cleared. Commands that
 * the screen has carried out are deleted, because a proof of the parental code must not stay in the database.
 *
 * @throws ServiceError screenNotConnected
 */
export async function storeState(
  db: Database,
  { deviceId, accountId }: { deviceId: number; accountId: number },
  { number, state }: { number: number; state: ScreenState | null },
): Promise<void> {
  const awaitsContent = sql`exists (
    select from ${screenCommands}
    where ${screenCommands.deviceId} = ${deviceId} and ${screenCommands.number} > ${number}
      and ${screenCommands.command} ->> 'type' = 'load'
  )`
  const stored = await db
    .update(screens)
    .set({
      state: sql`case when ${awaitsContent} then null else ${sql.param(state, screens.state)}::jsonb end`,
      ...(state === null && {
        castBy: sql`case when ${screens.lastCommand} > ${number} then ${screens.castBy} end`,
      }),
    })
    .where(and(eq(screens.deviceId, deviceId), eq(screens.accountId, accountId)))
    .returning({ deviceId: screens.deviceId })
  if (stored.length === 0) throw new ServiceError('screenNotConnected')
  await db
    .delete(screenCommands)
    .where(and(eq(screenCommands.deviceId, deviceId), lte(screenCommands.number, number)))
}
