import type { GuideFilters } from '@ondine/contract/channels'
import type { Channel, Programme } from '@ondine/contract/entities'
import type { Language } from '@ondine/contract/languages'
import type { Database } from '../../database/connection.ts'
import { invalidFields } from '../../http/errors.ts'
import { isVisible, type Playable, type Rated, type Viewer } from '../entitlements/entitlements.service.ts'
import { packagesOfChannels } from '../entitlements/packages.service.ts'
import { presentChannel, presentProgramme } from './channels.presenter.ts'
import {
  findChannel,
  findChannelSource,
  findChannels,
  findGuideAssets,
  findProgrammes,
} from './channels.repository.ts'
import type { StreamSource } from './stream-source.ts'

/** Which part of the guide. Milliseconds since the Unix epoch. */
export interface GuideWindow {
  from: number
  to: number
  /** All channels when left out. */
  channelIds?: readonly number[] | undefined
  filters?: GuideFilters | undefined
  /** A window of more programmes is refused; any number when left out. */
  most?: number
}

/** The channels that exist for the viewer, by number (V7-09). */
export async function listChannels(db: Database, viewer: Viewer, language: Language): Promise<Channel[]> {
  const [rows, packages] = await Promise.all([findChannels(db), packagesOfChannels(db)])
  return rows
    .filter(({ moralityLevel }) => isVisible(viewer, { moralityLevel, adult: false }))
    .map((row) => presentChannel(row, packages.get(row.id) ?? [], viewer, language))
}

/**
 * The guide by channel, in order of time. What a child's profile may not see is left out, as everywhere (decision 27):
 * the guide then has a hole there.
 *
 * @throws ServiceError `invalidInput` for a window of more programmes than `most`
 */
export async function listProgrammes(
  db: Database,
  viewer: Viewer,
  language: Language,
  window: GuideWindow,
): Promise<Map<number, Programme[]>> {
  const { genres, ...ofChannels } = window.filters ?? {}
  const channelIds = await chosenChannels(db, window.channelIds, ofChannels)
  const { most } = window
  const rows = await findProgrammes(db, { ...window, channelIds, most: most && most + 1 })
  if (most !== undefined && rows.length > most)
    throw invalidFields([
      { field: 'hours', message: `has more than ${most} programmes; ask for fewer hours or channels` },
    ])
  const assets = await findGuideAssets(
    db,
    rows.flatMap(({ assetId }) => assetId ?? []),
  )
  const hidden = viewer.kid ? await hiddenChannels(db, viewer) : new Set()
  const byChannel = new Map<number, Programme[]>()
  for (const row of rows) {
    if (hidden.has(row.channelId)) continue
    const asset = row.assetId === null ? undefined : assets.get(row.assetId)
    if (!isVisible(viewer, asset ?? row)) continue
    const programme = presentProgramme(row, asset, viewer, language)
    if (genres && !genres.includes(programme.genre)) continue
    const list = byChannel.get(row.channelId)
    if (list) list.push(programme)
    else byChannel.set(row.channelId, [programme])
  }
  return byChannel
}

/** Of `wanted`, the channels that filters leave; all of them when neither is given. */
async function chosenChannels(
  db: Database,
  wanted: readonly number[] | undefined,
  { groups, isFta, isRadio }: Omit<GuideFilters, 'genres'>,
): Promise<readonly number[] | undefined> {
  if (groups === undefined && isFta === undefined && isRadio === undefined) return wanted
  const asked = wanted && new Set(wanted)
  return (await findChannels(db)).flatMap((channel) =>
    (asked?.has(channel.id) ?? true) &&
    (groups?.includes(channel.mainGenre) ?? true) &&
    (isFta ?? channel.free) === channel.free &&
    (isRadio ?? channel.radio) === channel.radio
      ? [channel.id]
      : [],
  )
}

async function hiddenChannels(db: Database, viewer: Viewer): Promise<Set<number>> {
  const all = await findChannels(db)
  return new Set(
    all.flatMap(({ id, moralityLevel }) => (isVisible(viewer, { moralityLevel, adult: false }) ? [] : [id])),
  )
}

/** What is on now, by channel; channels without a programme that the viewer may see have no entry. */
export async function nowOn(
  db: Database,
  viewer: Viewer,
  language: Language,
  now: number,
  channelIds?: readonly number[],
): Promise<Map<number, Programme>> {
  // Programmes are shown in whole seconds: one that ends within this second is over from its beginning.
  const to = Math.floor(now / 1000) * 1000 + 1000
  const current = await listProgrammes(db, viewer, language, { from: to - 1, to, channelIds })
  return new Map([...current].flatMap(([id, [programme]]) => (programme ? [[id, programme] as const] : [])))
}

/** A channel that does not play from the library, and where it plays from. */
export interface RelayedChannel {
  kind: 'relay' | 'live'
  source: StreamSource
}

/** Where a channel plays from; undefined for one that plays from the library, and for none. */
export async function findRelay(db: Database, channelId: number): Promise<RelayedChannel | undefined> {
  const row = await findChannelSource(db, channelId)
  return row?.source && row.kind !== 'library' ? { kind: row.kind, source: row.source } : undefined
}

/** The rating of what the guide announces on a channel now; undefined when it announces nothing. */
export async function ratingNow(db: Database, channelId: number, now: number): Promise<Rated | undefined> {
  const [row] = await findProgrammes(db, { channelIds: [channelId], from: now, to: now + 1 })
  return row
}

/** What entitlement wants to know of a channel; undefined when there is none. */
export async function findPlayableChannel(db: Database, channelId: number): Promise<Playable | undefined> {
  const [row, packages] = await Promise.all([findChannel(db, channelId), packagesOfChannels(db, channelId)])
  if (!row) return undefined
  const { moralityLevel, free } = row
  return { kind: 'channel', packageIds: packages.get(channelId) ?? [], moralityLevel, adult: false, free }
}
