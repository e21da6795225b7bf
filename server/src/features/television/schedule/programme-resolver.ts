import type { TrackSet } from '@ondine/media/track-set'
import type { LocalisedText } from '../../../database/columns.ts'
import type { ResolvedRow, TitleFacts } from './schedule.repository.ts'
import type { ProgrammeResolver, ScheduledMedia } from './schedule.ts'

/**
 * A resolver that also returns the names and ratings of its titles, and knows which titles are missing in the
 * library.
 */
export interface StockedResolver extends ProgrammeResolver, TitleFacts {
  /** Whether the library has no title with this name. */
  isUnknown(title: string): boolean
}

/**
 * Builds a resolver that finds rows by title.
 *
 * @param pieceOf returns the part of a TrackSet that the channel plays; undefined if the TrackSet does not fit the
 * channel's layout.
 */
export function createProgrammeResolver(
  rows: readonly ResolvedRow[],
  trackSets: ReadonlyMap<string, TrackSet>,
  pieceOf: (trackSet: TrackSet, assetId: number) => ScheduledMedia | undefined,
): StockedResolver {
  const byTitle = new Map<string, ResolvedRow[]>()
  const titles = new Map<number, LocalisedText>()
  for (const row of rows) {
    if (row.assetId !== null) titles.set(row.assetId, row.titles)
    const names = new Set([...Object.values(row.titles), ...Object.values(row.seriesNames ?? {})].map(plain))
    for (const name of names) {
      const list = byTitle.get(name)
      if (list) list.push(row)
      else byTitle.set(name, [row])
    }
  }
  const found = (title: string) => byTitle.get(plain(title)) ?? []
  const toPiece = (id: string | null, assetId: number | null): ScheduledMedia[] => {
    const trackSet = id === null ? undefined : trackSets.get(id)
    const piece = trackSet && assetId !== null ? pieceOf(trackSet, assetId) : undefined
    return piece ? [piece] : []
  }
  // Cache the results: scheduling looks up the same few titles thousands of times.
  const programmes = remembered((title) =>
    found(title).flatMap((row) => (row.ready ? toPiece(row.mainTrackSetId, row.assetId) : [])),
  )
  const fillers = remembered((title) =>
    found(title).flatMap((row, index) => {
      const trailer = toPiece(row.trailerTrackSetId, row.assetId)
      if (trailer.length > 0) return row.seriesId === null || index === 0 ? trailer : []
      return row.ready && row.seriesId === null ? toPiece(row.mainTrackSetId, row.assetId) : []
    }),
  )
  return {
    programmes,
    fillers,
    isPending: (title) => found(title).some((row) => !row.ready),
    isUnknown: (title) => found(title).length === 0,
    titlesOf: (assetId) => titles.get(assetId) ?? {},
    highestRating: (names) => {
      const known = names.flatMap(found)
      if (known.length === 0) return null
      return {
        moralityLevel: Math.max(...known.map(({ moralityLevel }) => moralityLevel)),
        adult: known.some(({ adult }) => adult),
      }
    },
  }
}

function plain(title: string): string {
  return title.trim().toLowerCase()
}

function remembered<Value>(make: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>()
  return (key) => {
    let value = known.get(key)
    if (value === undefined) known.set(key, (value = make(key)))
    return value
  }
}
