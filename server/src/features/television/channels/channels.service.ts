import type { Channel, Programme } from '@ondine/contract/entities'
import type { Language } from '@ondine/contract/languages'
import type { Database } from '../../../database/connection.ts'
import type { StreamSource } from '../../inventory/line-up/stream-source.ts'
import {
  isVisible,
  type Playable,
  type Rated,
  type Viewer,
} from '../../rights/entitlements/entitlements.service.ts'
import { packagesOfChannels } from '../../rights/entitlements/packages.service.ts'
import { presentChannel } from './channels.presenter.ts'
import { findChannel, findChannelSource, findChannels } from './channels.repository.ts'
import { listProgrammes } from './guide-windows.service.ts'
import { findGridProgrammes, findProgrammes } from './programmes.repository.ts'
import { timeshiftOf } from './timeshift.ts'

/** Returns the channels that the viewer sees, sorted by number (V7-09). */
export async function listChannels(db: Database, viewer: Viewer, language: Language): Promise<Channel[]> {
  const [rows, packages] = await Promise.all([findChannels(db), packagesOfChannels(db)])
  return rows
    .filter(({ moralityLevel }) => isVisible(viewer, { moralityLevel, adult: false }))
    .map((row) => presentChannel(row, packages.get(row.id) ?? [], viewer, language))
}

/**
 * Returns the current programmes, by channel id. A channel has no entry if it has no programme that the viewer may
 * see.
 */
export async function nowOn(
  db: Database,
  viewer: Viewer,
  language: Language,
  now: number,
  channelIds?: readonly number[],
): Promise<Map<number, Programme>> {
  // Programmes are presented in whole seconds. So a programme that ends within the current second is over.
  const to = Math.floor(now / 1000) * 1000 + 1000
  const current = await listProgrammes(db, viewer, language, { from: to - 1, to, channelIds })
  return new Map([...current].flatMap(([id, [programme]]) => (programme ? [[id, programme] as const] : [])))
}

/** The content of a channel: media of this service, or the stream of another provider. */
export type PlayedChannel = { kind: 'library' | 'live' } | { kind: 'relay'; source: StreamSource }

/** Returns whether a channel plays media of this service or a relayed stream; undefined for an unknown channel. */
export async function findPlayedChannel(db: Database, channelId: number): Promise<PlayedChannel | undefined> {
  const row = await findChannelSource(db, channelId)
  if (!row) return undefined
  if (row.kind !== 'relay') return { kind: row.kind }
  return row.source ? { kind: 'relay', source: row.source } : undefined
}

/** Returns how far back the viewer may watch a channel, in seconds; 0 for not at all. */
export async function findTimeshift(db: Database, channelId: number, viewer: Viewer): Promise<number> {
  const row = await findChannelSource(db, channelId)
  return row ? timeshiftOf(row, viewer) : 0
}

/**
 * Returns the rating of the current programme of a channel according to the guide; undefined if the guide has
 * none.
 */
export async function ratingNow(db: Database, channelId: number, now: number): Promise<Rated | undefined> {
  const [row] = await findProgrammes(db, { channelIds: [channelId], from: now, to: now + 1 })
  return row
}

/**
 * Returns the ratings of a channel's programmes in `[from, to)` according to the guide, in order of time, also of a
 * channel that is not shown. Times are milliseconds since the Unix epoch.
 */
export async function ratingsBetween(
  db: Database,
  channelId: number,
  from: number,
  to: number,
): Promise<(Rated & { id: number; startsAt: number; endsAt: number })[]> {
  return await findGridProgrammes(db, { channelIds: [channelId], from, to })
}

/** Returns the fields of a channel that entitlement checks need; undefined if the channel does not exist. */
export async function findPlayableChannel(db: Database, channelId: number): Promise<Playable | undefined> {
  const [row, packages] = await Promise.all([findChannel(db, channelId), packagesOfChannels(db, channelId)])
  if (!row) return undefined
  const { moralityLevel, free } = row
  return {
    kind: 'channel',
    id: channelId,
    packageIds: packages.get(channelId) ?? [],
    moralityLevel,
    adult: false,
    free,
  }
}
