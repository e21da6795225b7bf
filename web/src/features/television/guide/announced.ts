import { joinNames } from '@ondine/contract/asset-state'
import type { AnnouncedDetails } from '@ondine/contract/channels'
import type { SearchKey } from '@ondine/contract/search'
import type { TFunction } from 'i18next'
import { dayText } from '../../../words/dates.ts'
import { languageNames, type Place } from '../../../words/format.ts'
import type { Fact } from '../../content/catalogue/facts.tsx'

type Role = AnnouncedDetails['credits'][number]['role']

/** The roles of people in the order in which a page shows them. */
const ROLES: readonly Role[] = [
  'director',
  'actor',
  'presenter',
  'guest',
  'commentator',
  'writer',
  'adapter',
  'producer',
  'composer',
  'editor',
]
/** The metadata keys for searches of the library by a person or a genre. */
const SEARCHED: Partial<Record<Role | 'genres', SearchKey>> = {
  director: 'AD_LIREALIS',
  actor: 'AD_LIACTORS',
  genres: 'AD_LIGENRES',
}
/** Limits of a short list of credits: the number of names in a role, and the number of roles. */
const SHORT = { names: 3, roles: 2 }

/** Returns the labels of a showing. A premiere does not get the label “new”. */
export function flagsOf(announced: AnnouncedDetails, t: TFunction): string[] {
  const { isLive, isPremiere, isNew, isRepeat, isLastChance, isAudioDescribed, isSigned, isSubtitled } =
    announced
  return [
    isLive && t('programme.live'),
    isPremiere ? t('programme.premiere') : isNew && t('programme.new'),
    // A source can set both flags, for an episode that is new on this channel but was shown before on another
    // channel.
    isRepeat && !isNew && t('programme.repeat'),
    isLastChance && t('programme.lastChance'),
    isAudioDescribed && t('programme.audioDescribed'),
    isSigned && t('programme.signed'),
    isSubtitled && t('programme.subtitled'),
  ].filter((text) => text !== false)
}

/**
 * Returns the names of the first roles, such as the director and the main actors, in one line. Empty if the guide
 * has no names.
 */
export function shortCredits({ credits }: AnnouncedDetails, t: TFunction): string {
  return ROLES.flatMap((role) => {
    const names = credits.filter((credit) => credit.role === role).map(({ name }) => name)
    const label = t(`programme.${role}`)
    return names.length === 0
      ? []
      : t('programme.credit', { label, names: names.slice(0, SHORT.names).join(', ') })
  })
    .slice(0, SHORT.roles)
    .join(' · ')
}

/**
 * Returns all details of a programme as facts, each with its name.
 *
 * @param isOfLibrary whether the programme is a title of the library. The names of people and genres are then
 * links to a search
 */
export function announcedFacts(
  announced: AnnouncedDetails,
  { place, isOfLibrary, t }: { place: Place; isOfLibrary: boolean; t: TFunction },
): Fact[] {
  const { credits, genres, countries, audioLanguages, subtitleLanguages, originalLanguage } = announced
  const found = (of: Role | 'genres', name: string, value: string): Fact => {
    const key = isOfLibrary ? SEARCHED[of] : undefined
    return key === undefined ? [name, value] : [name, value, key]
  }
  const people = ROLES.map((role) => {
    const names = credits
      .filter((credit) => credit.role === role)
      .map(({ name, as }) => (as === undefined ? name : t('programme.playing', { name, role: as })))
    return found(role, t(`programme.${role}`), joinNames(names))
  })
  return [
    ...people,
    found('genres', t('meta.genres'), genres.length > 1 ? joinNames(genres) : ''),
    [t('programme.countries'), countries.join(', ')],
    [t('meta.audio'), languageNames(audioLanguages, place.language)],
    [t('meta.subtitlesTitle'), languageNames(subtitleLanguages, place.language)],
    [
      t('programme.original'),
      originalLanguage === null ? '' : languageNames([originalLanguage], place.language),
    ],
    [t('programme.firstShown'), announced.shownBefore === null ? '' : dayText(announced.shownBefore, place)],
    [t('programme.stars'), announced.stars ?? ''],
  ]
}
