import type { Asset, Channel, Programme } from '@ondine/contract/entities'
import type { Content } from './playable.ts'

/** An episode of two minutes for tests. */
export const episode: Asset = {
  idAsset: 12,
  title: 'La ligne de grain',
  description: 'Le vent tourne.',
  tagline: '',
  medias: [{ idMedia: 1, audioLanguages: ['fra', 'eng'], subtitleLanguages: ['fra'] }],
  trailer: { idMedia: 5 },
  downloadable: false,
  live: false,
  durationInMinutes: 2,
  durationInSeconds: 120,
  path: [],
  packageIds: [1],
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
  isSerie: true,
  serieId: 40,
  detailRoute: '/content/la-ligne-de-grain-12',
  portraitImage: null,
  posterImage: null,
  backgroundImage: null,
  logoImage: null,
  thumbnailImage: null,
  directMetadata: { AD_LIASMEDI: 'fra/non' },
  availability: { state: 'ready', percent: 100 },
}

/** The page of {@link episode}, with a next episode. */
export const content: Content = {
  content: { type: 'asset', payload: episode },
  series: null,
  resume: null,
  next: { ...episode, idAsset: 13 },
}

/** A channel without timeshift for tests. */
export const channel: Channel = {
  id: 1,
  idChannel: 1,
  title: 'Ondine 1',
  name: 'Ondine 1',
  synopsis: '',
  metadatas: {},
  moralityLevel: 0,
  tags: [],
  mainGenre: '',
  isNeedParentalCode: false,
  isFavorite: false,
  isIncludedInUserOffers: true,
  logoImage: null,
  color: '#224466',
  detailRoute: '/channel/ondine-1',
  item: {
    type: 'library',
    allowTimeshift: false,
    lcn: 1,
    isRadio: false,
    allowRecording: false,
    isFta: true,
    localizeNumber: 1,
    parentalControl: false,
  },
  ottConfiguration: { startOver: false, timeshift: 0 },
}

/** A programme of {@link channel}. Times are seconds since the Unix epoch. */
export function programmeFrom(id: number, startutc: number, endutc: number): Programme {
  return {
    id,
    id_channel: 1,
    universal_id: String(id),
    title: `Programme ${id}`,
    subtitle: '',
    synopsis: '',
    genre: '',
    duration: endutc - startutc,
    startutc,
    endutc,
    startoverEnabled: false,
    timeshiftEnabled: true,
    npvrEnabled: false,
    rating: 0,
    isBlurred: false,
    isNeedParentalCode: false,
    image: null,
    idAsset: null,
    direct_metadata: {},
  }
}
