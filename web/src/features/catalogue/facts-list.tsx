import type { Asset } from '@ondine/contract/entities'
import type { SearchKey } from '@ondine/contract/search'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../design/link.tsx'
import { dayText } from '../../words/dates.ts'
import { languageNames, type Place } from '../../words/format.ts'
import { usePlace } from '../../words/place.tsx'
import { useConfiguration } from '../configuration/use-configuration.ts'
import { metadataSearchPath } from '../search/metadata-search-path.ts'
import styles from './facts-list.module.css'
import { shownFacts } from './shown-facts.ts'

/** Who made a title and what is in it: at most as many facts as configured (V3-14). */
export function FactsList({
  metadata,
  media,
}: {
  metadata: Asset['directMetadata']
  media: Asset['medias'][number] | undefined
}) {
  const { t } = useTranslation()
  const place = usePlace()
  const { language } = place
  const { metadataShown } = useConfiguration().catalogue
  const facts: [name: string, value: string | number | undefined, key?: SearchKey | 'website'][] = [
    [t('meta.director'), metadata.AD_LIREALIS, 'AD_LIREALIS'],
    [t('meta.cast'), metadata.AD_LIACTORS, 'AD_LIACTORS'],
    [t('meta.genres'), metadata.AD_LIGENRES, 'AD_LIGENRES'],
    [t('meta.tags'), metadata.TAGS, 'TAGS'],
    [t('meta.producer'), metadata.AD_LIPRODUC, 'AD_LIPRODUC'],
    [t('meta.audio'), languageNames(media?.audioLanguages ?? [], language)],
    [t('meta.subtitlesTitle'), languageNames(media?.subtitleLanguages ?? [], language)],
    [t('meta.released'), releaseText(metadata.TS_RELEDATE, place)],
    [t('meta.website'), metadata.website, 'website'],
  ]
  const known = shownFacts(facts, metadataShown)
  if (known.length === 0) return null
  return (
    <dl className={styles.facts}>
      {known.map(([name, value, key]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {key === undefined ? (
              value
            ) : key === 'website' ? (
              <TextLink to={String(value)}>{new URL(String(value)).hostname}</TextLink>
            ) : (
              <SearchLinks values={String(value)} searchBy={key} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** A day as `2026-01-31` in words; anything else as it is. */
function releaseText(day: string | number | undefined, place: Place): string | number | undefined {
  const seconds = Date.parse(String(day)) / 1000
  return Number.isNaN(seconds) ? day : dayText(seconds, place)
}

/** Names, each leading to everything else that has it (V2.1-18). */
function SearchLinks({ values, searchBy }: { values: string; searchBy: SearchKey }) {
  // A studio's name may have a comma in it; the others are lists.
  const names = searchBy === 'AD_LIPRODUC' ? [values] : values.split(', ')
  return names.map((name, index) => (
    <Fragment key={name}>
      {index > 0 && ', '}
      <TextLink to={metadataSearchPath(searchBy, name)}>{name}</TextLink>
    </Fragment>
  ))
}
