import type { AnnouncedDetails } from '@ondine/contract/channels'
import type { SearchKey } from '@ondine/contract/search'
import type { TFunction } from 'i18next'
import { dayText } from '../../words/dates.ts'
import { languageNames, type Place } from '../../words/format.ts'
import type { Fact } from '../catalogue/facts.tsx'

type Role = AnnouncedDetails['credits'][number]['role']

/** In this order they are named. */
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
/** What titles of the library are found by. */
const SEARCHED: Partial<Record<Role | 'genres', SearchKey>> = {
  director: 'AD_LIREALIS',
  actor: 'AD_LIACTORS',
  genres: 'AD_LIGENRES',
}
/** Where there is little room, so many names of those who do the same are said, of so many kinds. */
const SHORT = { names: 3, roles: 2 }

/** What is said of a showing at a glance: a text for each. What is the first one is not said to be new besides. */
export function flagsOf(announced: AnnouncedDetails, t: TFunction): string[] {
  const { isLive, isPremiere, isNew, isRepeat, isLastChance, isAudioDescribed, isSigned, isSubtitled } =
    announced
  return [
    isLive && t('programme.live'),
    isPremiere ? t('programme.premiere') : isNew && t('programme.new'),
    // A source may say both, of an episode that is new somewhere and was shown elsewhere.
    isRepeat && !isNew && t('programme.repeat'),
    isLastChance && t('programme.lastChance'),
    isAudioDescribed && t('programme.audioDescribed'),
    isSigned && t('programme.signed'),
    isSubtitled && t('programme.subtitled'),
  ].filter((text) => text !== false)
}

/** Who made it and is in it, in one line; empty where nobody is named. */
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
 * All that is known of a programme, by names.
 *
 * @param isOfLibrary whether other titles are found by its people and genres.
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
    return found(role, t(`programme.${role}`), names.join(', '))
  })
  return [
    ...people,
    found('genres', t('meta.genres'), genres.length > 1 ? genres.join(', ') : ''),
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
