import type { AnnouncedDetails } from '@ondine/contract/channels'
import type { Channel, Image, Programme } from '@ondine/contract/entities'
import type { GridProgramme } from '@ondine/contract/guide-grid'
import type { Language } from '@ondine/contract/languages'
import { channelRoute } from '@ondine/contract/slugs'
import { genreIn } from '../../../metadata/genres.ts'
import { proseIn, textIn } from '../../../metadata/texts.ts'
import {
  isBlurred,
  isIncluded,
  needsParentalCode,
  type Viewer,
} from '../../rights/entitlements/entitlements.service.ts'
import type { ChannelRow, ImageRow } from './channels.repository.ts'
import type {
  AnnouncedRow,
  AssetDetails,
  GridRow,
  GuideAsset,
  ProgrammeRow,
} from './programmes.repository.ts'
import { canRecord } from './recordable.service.ts'
import { canStartOver, hasStartOver, timeshiftOf } from './timeshift.ts'

/** Presents a channel (V3-21, V3-22). */
export function presentChannel(
  row: ChannelRow,
  packageIds: readonly number[],
  viewer: Viewer,
  language: Language,
): Channel {
  const name = textIn(row.names, language)
  const rated = { moralityLevel: row.moralityLevel, adult: false }
  const timeshift = timeshiftOf(row, viewer)
  return {
    id: row.id,
    idChannel: row.id,
    title: name,
    name,
    synopsis: proseIn(row.descriptions, language),
    metadatas: { LOCALIZE_NUMBER: row.number, channel_name: name },
    moralityLevel: row.moralityLevel,
    tags: row.tags,
    mainGenre: row.mainGenre,
    isNeedParentalCode: needsParentalCode(viewer, rated),
    // The audience shares this object. `ChannelMemory` marks each viewer's favourites later.
    isFavorite: false,
    isIncludedInUserOffers: isIncluded(viewer, packageIds, row.free),
    logoImage: presentImage(row.logo),
    color: row.color,
    detailRoute: channelRoute(name, row.id),
    item: {
      type: row.kind,
      allowTimeshift: timeshift > 0,
      lcn: row.number,
      isRadio: row.radio,
      allowRecording: canRecord(row),
      isFta: row.free,
      localizeNumber: row.number,
      parentalControl: viewer.hasParentalControl && row.moralityLevel > 0,
    },
    ottConfiguration: { startOver: hasStartOver(row, viewer), timeshift },
  }
}

/** Returns the title of a programme and, for an episode of the library, the name of its series. */
export function nameOf(row: Pick<ProgrammeRow, 'titles'>, asset: GuideAsset | undefined, language: Language) {
  const title = textIn(asset?.titles ?? row.titles, language)
  return { title, series: asset?.seriesNames ? textIn(asset.seriesNames, language) : null }
}

/** Presents the fields of {@link presentProgramme} that a grid shows. */
export function presentGridProgramme(
  row: GridRow,
  asset: GuideAsset | undefined,
  viewer: Viewer,
  language: Language,
): GridProgramme {
  const { title, series } = nameOf(row, asset, language)
  return {
    id: row.id,
    id_channel: row.channelId,
    title: series ?? title,
    startutc: Math.floor(row.startsAt / 1000),
    endutc: Math.floor(row.endsAt / 1000),
    isNeedParentalCode: needsParentalCode(viewer, asset ?? row),
  }
}

/**
 * Presents a programme (V3-24). Times are rounded down to whole seconds, so that the end of a programme still
 * equals the start of the next one.
 */
export function presentProgramme(
  row: ProgrammeRow,
  asset: GuideAsset | undefined,
  viewer: Viewer,
  language: Language,
): Programme {
  const startutc = Math.floor(row.startsAt / 1000)
  const endutc = Math.floor(row.endsAt / 1000)
  const { title, series } = nameOf(row, asset, language)
  // Details of a library title come from the catalogue, not from the guide.
  const about = asset ?? row
  const image = presentImage(asset ? asset.image : row.picture)
  return {
    id: row.id,
    id_channel: row.channelId,
    universal_id: row.universalId,
    title: series ?? title,
    subtitle: series === null ? textIn(asset ? {} : row.subtitles, language) : title,
    synopsis: proseIn(about.descriptions, language),
    genre: genreIn(about.genres[0] ?? '', language),
    duration: endutc - startutc,
    startutc,
    endutc,
    startoverEnabled: canStartOver(row.channel, row, viewer) && !row.isPastForbidden,
    timeshiftEnabled: timeshiftOf(row.channel, viewer) > 0 && !row.isPastForbidden,
    npvrEnabled: canRecord(row.channel) && !row.isRecordingForbidden,
    rating: about.moralityLevel,
    isBlurred: isBlurred(viewer, about),
    isNeedParentalCode: needsParentalCode(viewer, about),
    image,
    idAsset: row.assetId,
    direct_metadata: {
      TS_STARTUTC: startutc,
      TS_ENDUTC: endutc,
      TS_DURATION: Math.round((endutc - startutc) / 60),
      MORALITY_LEVEL: about.moralityLevel,
      ...(image && { AD_IMAGEID: image.url }),
      ...(about.year !== null && { TS_PRODYEAR: about.year }),
      ...(about.seasonNumber !== null && { AD_SERIESEA: about.seasonNumber }),
      ...(about.episodeNumber !== null && { AD_SERIESEP: about.episodeNumber }),
      ...(asset && asset.lastEpisodeNumber !== null && { AD_SERIESEPEND: asset.lastEpisodeNumber }),
      ...(series !== null && { AD_SURTITLE: series }),
    },
  }
}

/**
 * Presents further details of a programme from the guide. For a library title, people, genres and languages come
 * from the catalogue.
 */
export function presentAnnounced(
  row: AnnouncedRow,
  asset: AssetDetails | undefined,
  language: Language,
): AnnouncedDetails {
  const { details } = row
  const { genres, audioLanguages, subtitleLanguages } = asset ?? row
  return {
    credits: asset ? creditsOf(asset) : (details.credits ?? []),
    genres: genres.map((genre) => genreIn(genre, language)),
    countries: (details.countries ?? []).map((names) => textIn(names, language)),
    isNew: row.isNew,
    isRepeat: row.isRepeat,
    isPremiere: details.premiere ?? false,
    isLive: row.isLive,
    isLastChance: details.lastChance ?? false,
    isAudioDescribed: details.audioDescribed ?? false,
    isSigned: details.signed ?? false,
    isSubtitled: (details.subtitled ?? false) || subtitleLanguages.length > 0,
    shownBefore: details.previouslyShownAt === undefined ? null : details.previouslyShownAt / 1000,
    episode: details.episodeText ?? null,
    stars: details.stars ?? null,
    audioLanguages,
    subtitleLanguages,
    originalLanguage: details.originalLanguage ?? null,
  }
}

function creditsOf({ directors, actors }: AssetDetails): AnnouncedDetails['credits'] {
  return [
    ...directors.map((name) => ({ role: 'director' as const, name })),
    ...actors.map((name) => ({ role: 'actor' as const, name })),
  ]
}

function presentImage(row: ImageRow | null): Image | null {
  return row && { url: `/images/${row.id}`, width: row.width, height: row.height, color: row.color }
}
