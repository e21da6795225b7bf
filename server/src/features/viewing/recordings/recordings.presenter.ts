import type { Language } from '@ondine/contract/languages'
import type { Recording, SeriesRecording } from '@ondine/contract/recordings'
import { genreIn } from '../../../metadata/genres.ts'
import { proseIn, textIn } from '../../../metadata/texts.ts'
import { isBlurred, needsParentalCode, type Viewer } from '../../rights/entitlements/entitlements.service.ts'
import type { RecordableShowing } from './recordable-showings.ts'
import { expiryOf, intervalOf, isInProgress, isPlayable, stateOf } from './recording-state.ts'
import type { ShownRecordingRow } from './recordings.repository.ts'
import type { SeriesRow } from './series-recordings.repository.ts'

/**
 * Presents a recording (A3-32).
 *
 * @param reach.next the next showing of the programme, for a recording that has failed, or whose programme was
 * dropped or withheld; undefined for any other recording, or without such a showing
 * @param reach.keepDays days for which finished recordings are kept; undefined without a limit
 */
export function presentRecording(
  row: ShownRecordingRow,
  { next, keepDays }: { next: RecordableShowing | undefined; keepDays: number | undefined },
  viewer: Viewer,
  language: Language,
  now: number,
): Recording {
  const title = textIn(row.titles, language)
  const series = row.seriesNames === null ? null : textIn(row.seriesNames, language)
  const { from, to } = intervalOf(row)
  const state = stateOf(row, now)
  const expiresAt = now < row.pinnedTo ? null : expiryOf(row, keepDays)
  return {
    id: row.id,
    idEvent: row.programmeId,
    idAsset: row.assetId,
    idChannel: row.channelId,
    channel: textIn(row.channelNames, language),
    title: series ?? title,
    subtitle: series === null ? textIn(row.subtitles, language) : title,
    synopsis: proseIn(row.descriptions, language),
    genre: genreIn(row.genres[0] ?? '', language),
    season: row.seasonNumber,
    episode: row.episodeNumber,
    lastEpisode: row.lastEpisodeNumber ?? undefined,
    image: row.image && {
      url: `/images/${row.image.id}`,
      width: row.image.width,
      height: row.image.height,
      color: row.image.color,
    },
    rating: row.moralityLevel,
    isBlurred: isBlurred(viewer, row),
    isNeedParentalCode: needsParentalCode(viewer, row),
    startutc: Math.floor(row.startsAt / 1000),
    endutc: Math.floor(row.endsAt / 1000),
    duration: Math.round(Math.max(0, Math.min(row.endsAt, to) - row.startsAt) / 1000),
    state,
    note: row.droppedAt !== null ? 'dropped' : row.missingSeconds > 0 ? 'incomplete' : null,
    missing: row.missingSeconds,
    expiresAt: expiresAt === null ? null : Math.floor(expiresAt / 1000),
    position: row.watchedTo === null ? 0 : Math.max(0, row.watchedTo - from) / 1000,
    watchedAt: row.watchedAt === null ? null : Math.floor(row.watchedAt / 1000),
    isBegun: isPlayable(state) && isInProgress(row),
    isFavorite: row.favouriteAt !== null,
    next: next
      ? {
          idEvent: next.programmeId,
          idChannel: next.channelId,
          channel: textIn(next.channelNames, language),
          startutc: Math.floor(next.startsAt / 1000),
        }
      : null,
  }
}

/** Presents a series recording. */
export function presentSeries(row: SeriesRow, language: Language): SeriesRecording {
  const { id, titles, episodes, channelId, channelNames, keepLast, recorded, recordedOnAny, isFull } = row
  return {
    id,
    title: textIn(titles, language),
    episodes,
    idChannel: channelId,
    channel: channelNames && textIn(channelNames, language),
    keepLast,
    recorded,
    recordedOnAny,
    isFull,
  }
}
