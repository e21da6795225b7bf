import { setImmediate } from 'node:timers/promises'
import type { GuideFilters } from '@ondine/contract/channels'
import type { Programme } from '@ondine/contract/entities'
import type { GridProgramme } from '@ondine/contract/guide-grid'
import type { Language } from '@ondine/contract/languages'
import type { Database } from '../../../database/connection.ts'
import { invalidFields } from '../../../http/errors.ts'
import { genreIn } from '../../../metadata/genres.ts'
import { isVisible, type Viewer } from '../../rights/entitlements/entitlements.service.ts'
import { presentGridProgramme, presentProgramme } from './channels.presenter.ts'
import { findChannelTraits } from './channels.repository.ts'
import {
  type ChosenProgrammes,
  findGridProgrammes,
  findGuideAssets,
  findProgrammes,
  type GridRow,
  type GuideAsset,
  type ProgrammeRow,
  type ProgrammesWanted,
} from './programmes.repository.ts'

const HOUR_MS = 3600_000

/** A requested part of the guide. Times are milliseconds since the Unix epoch. */
export interface GuideWindow {
  from: number
  to: number
  /** The requested channels; all channels if omitted. */
  channelIds?: readonly number[] | undefined
  filters?: GuideFilters | undefined
}

/** How the programmes of a window are read and presented. */
export interface GuideReading<Row extends GridRow, Shown> {
  find: (db: Database, wanted: ChosenProgrammes) => Promise<Row[]>
  present: (row: Row, asset: GuideAsset | undefined, viewer: Viewer, language: Language) => Shown
  /**
   * Size of a slice in hours of programmes, summed over its channels. Such a slice has some thousand programmes. A
   * slice contains at least one channel. Other calls are answered between slices.
   */
  hoursAtOnce: number
}

/** Reads and presents programmes with all details. */
export const IN_FULL: GuideReading<ProgrammeRow, Programme> = {
  find: findProgrammes,
  present: presentProgramme,
  hoursAtOnce: 600,
}

/** Reads and presents programmes with the details that a grid shows. */
export const FOR_A_GRID: GuideReading<GridRow, GridProgramme> = {
  find: findGridProgrammes,
  present: presentGridProgramme,
  hoursAtOnce: 2400,
}

/** Programmes by channel, in order of time. */
type ByChannel<Shown> = Map<number, Shown[]>

/**
 * Returns programmes by channel, in order of time. Omits programmes that are hidden from a child's profile
 * (spec 27), which leaves gaps.
 */
export async function listProgrammes(
  db: Database,
  viewer: Viewer,
  language: Language,
  wanted: ProgrammesWanted,
): Promise<ByChannel<Programme>> {
  const channelIds = viewer.kid ? await chosenChannels(db, viewer, wanted) : wanted.channelIds
  const rows = await findProgrammes(db, { ...wanted, channelIds })
  return byChannel(IN_FULL, viewer, language, undefined, await withAssets(db, rows))
}

/**
 * Yields the guide for a window of any size, some channels at a time. Between slices, other calls are answered.
 *
 * @param most maximum number of programmes in the window
 * @throws ServiceError `invalidInput` for a window with more programmes
 */
export async function* listInSlices<Row extends GridRow, Shown>(
  db: Database,
  reading: GuideReading<Row, Shown>,
  viewer: Viewer,
  language: Language,
  window: GuideWindow,
  most: number,
): AsyncGenerator<ByChannel<Shown>, void, undefined> {
  const { from, to } = window
  const channelIds = await chosenChannels(db, viewer, window)
  const atOnce = Math.max(1, Math.floor((reading.hoursAtOnce * HOUR_MS) / (to - from)))
  let count = 0
  const read = async (place: number) =>
    await withAssets(
      db,
      await reading.find(db, {
        from,
        to,
        channelIds: channelIds.slice(place, place + atOnce),
        most: most + 1 - count,
      }),
    )
  let slice = read(0)
  for (let place = 0; place < channelIds.length; place += atOnce) {
    const found = await slice
    count += found.rows.length
    if (count > most)
      throw invalidFields([
        { field: 'hours', message: `has more than ${most} programmes; ask for fewer hours or channels` },
      ])
    // The database reads the next slice while this slice is presented. If the read fails, awaiting the next slice
    // throws the error.
    slice = read(place + atOnce)
    slice.catch(() => undefined)
    yield byChannel(reading, viewer, language, window.filters?.genres, found)
    await setImmediate()
  }
}

interface Found<Row> {
  rows: Row[]
  /** The library titles of these programmes, by asset id. */
  assets: Map<number, GuideAsset>
}

async function withAssets<Row extends GridRow>(db: Database, rows: Row[]): Promise<Found<Row>> {
  const assets = await findGuideAssets(
    db,
    rows.flatMap(({ assetId }) => assetId ?? []),
  )
  return { rows, assets }
}

/** Returns the programmes that the viewer may see, by channel. `genres` restricts the result to these genres. */
function byChannel<Row extends GridRow, Shown>(
  reading: GuideReading<Row, Shown>,
  viewer: Viewer,
  language: Language,
  genres: readonly string[] | undefined,
  { rows, assets }: Found<Row>,
): ByChannel<Shown> {
  const shown: ByChannel<Shown> = new Map()
  for (const row of rows) {
    const asset = row.assetId === null ? undefined : assets.get(row.assetId)
    const about = asset ?? row
    if (!isVisible(viewer, about)) continue
    if (genres && !genres.includes(genreIn(about.genres[0] ?? '', language))) continue
    const programme = reading.present(row, asset, viewer, language)
    const list = shown.get(row.channelId)
    if (list) list.push(programme)
    else shown.set(row.channelId, [programme])
  }
  return shown
}

/** Returns the ids of the requested channels that the viewer sees, in ascending order. */
async function chosenChannels(
  db: Database,
  viewer: Viewer,
  { channelIds, filters = {} }: Pick<GuideWindow, 'channelIds' | 'filters'>,
): Promise<number[]> {
  const { groups, isFta, isRadio } = filters
  const asked = channelIds && new Set(channelIds)
  return (await findChannelTraits(db)).flatMap(({ id, mainGenre, free, radio, moralityLevel }) =>
    (asked?.has(id) ?? true) &&
    (groups?.includes(mainGenre) ?? true) &&
    (isFta ?? free) === free &&
    (isRadio ?? radio) === radio &&
    isVisible(viewer, { moralityLevel, adult: false })
      ? [id]
      : [],
  )
}
