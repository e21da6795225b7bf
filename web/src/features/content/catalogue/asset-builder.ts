import type { Session } from '@ondine/contract/accounts'
import type { AnnouncedDetails } from '@ondine/contract/channels'
import type { Asset, Category, Channel, Programme } from '@ondine/contract/entities'

/**
 * Builds a film in the form that the service returns, for tests: ready to play, included in the viewer's offers,
 * not begun.
 */
export function buildAsset(differences: Partial<Asset> = {}): Asset {
  return {
    idAsset: 1,
    title: 'La Houle',
    description: '',
    tagline: '',
    medias: [],
    trailer: null,
    downloadable: false,
    live: false,
    durationInMinutes: 108,
    durationInSeconds: 6480,
    path: [],
    packageIds: [],
    linkedOffers: [],
    linkedTransactionalOffers: [],
    rentalPrice: null,
    validityStartDateTime: 0,
    validityEndDateTime: null,
    seekTime: 0,
    alreadyWatchedInPercent: 0,
    moralityLevel: 0,
    adult: false,
    isBlurred: false,
    isNeedParentalCode: false,
    isIncludedInUserOffers: true,
    rental: null,
    isSerie: false,
    serieId: -1,
    detailRoute: '/content/la-houle-1',
    portraitImage: null,
    posterImage: null,
    backgroundImage: null,
    logoImage: null,
    thumbnailImage: null,
    directMetadata: {},
    availability: { state: 'ready', percent: 100 },
    ...differences,
  }
}

/**
 * Builds a category in the form that the service returns, for tests. `assets` counts the assets of the category and of
 * its sub-categories.
 */
export function buildCategory(
  idCatalog: number,
  assets: number,
  differences: Partial<Category> = {},
): Category {
  return {
    idCatalog,
    name: '',
    synopsis: '',
    tagline: '',
    fictif: false,
    isSerie: false,
    isSeason: false,
    seasonNumber: 0,
    episodeNumber: 0,
    assetCount: assets,
    absolute_asset_number: assets,
    absolute_not_unique_count: assets,
    relative_asset_number: assets,
    moralityLevel: 0,
    adult: false,
    isBlurred: false,
    isNeedParentalCode: false,
    detailRoute: '',
    parentId: -1,
    trailer: null,
    directMetadata: {},
    images: { default: null, background: null, poster: null, portrait: null, logo: null },
    categories: [],
    assets: [],
    ...differences,
  }
}

/** Builds a channel in the form that the service returns, for tests. */
export function buildChannel(differences: Partial<Channel> = {}): Channel {
  return {
    id: 1,
    idChannel: 1,
    title: 'Rive',
    name: 'Rive',
    synopsis: '',
    metadatas: {},
    moralityLevel: 0,
    tags: [],
    mainGenre: '',
    isNeedParentalCode: false,
    isFavorite: false,
    isIncludedInUserOffers: true,
    logoImage: null,
    color: '#335577',
    detailRoute: '/channel/rive-1',
    item: {
      type: 'library',
      allowTimeshift: false,
      lcn: 1,
      isRadio: false,
      allowRecording: false,
      isFta: false,
      localizeNumber: 1,
      parentalControl: false,
    },
    ottConfiguration: { startOver: false, timeshift: 0 },
    ...differences,
  }
}

/** A signed-in session, for tests. */
export const SUBSCRIBER: { account: NonNullable<Session['account']> } = {
  account: {
    id: 1,
    firstName: 'Camille',
    lastName: 'Delmas',
    email: 'subscriber@ondine.test',
    status: 'ACTIVE',
    tokenExpiresAt: 2_000_000_000,
    isMultiProfile: true,
  },
}

/** Builds a programme with a library asset in the form that the guide returns, for tests. */
export function buildProgramme(differences: Partial<Programme> = {}): Programme {
  return {
    id: 1,
    id_channel: 1,
    universal_id: '1',
    title: 'La Houle',
    subtitle: '',
    synopsis: '',
    genre: '',
    duration: 3600,
    startutc: 0,
    endutc: 3600,
    startoverEnabled: false,
    timeshiftEnabled: true,
    npvrEnabled: false,
    rating: 0,
    isBlurred: false,
    isNeedParentalCode: false,
    image: null,
    idAsset: null,
    direct_metadata: {},
    ...differences,
  }
}

/** The details of a programme about which the guide says nothing more, for tests. */
export const NOTHING_ANNOUNCED: AnnouncedDetails = {
  credits: [],
  genres: [],
  countries: [],
  isNew: false,
  isRepeat: false,
  isPremiere: false,
  isLive: false,
  isLastChance: false,
  isAudioDescribed: false,
  isSigned: false,
  isSubtitled: false,
  shownBefore: null,
  episode: null,
  stars: null,
  audioLanguages: [],
  subtitleLanguages: [],
  originalLanguage: null,
}
