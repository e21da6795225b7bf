import type { Asset } from '@ondine/contract/entities'
import type { SearchKey } from '@ondine/contract/search'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../design/link.tsx'
import { languageNames } from '../../words/format.ts'
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
  const { language } = usePlace()
  const { metadataShown } = useConfiguration().catalogue
  const facts: [name: string, value: string | number | undefined, key?: SearchKey][] = [
    [t('meta.director'), metadata.AD_LIREALIS, 'AD_LIREALIS'],
    [t('meta.cast'), metadata.AD_LIACTORS, 'AD_LIACTORS'],
    [t('meta.genres'), metadata.AD_LIGENRES, 'AD_LIGENRES'],
    [t('meta.producer'), metadata.AD_LIPRODUC, 'AD_LIPRODUC'],
    [t('meta.audio'), languageNames(media?.audioLanguages ?? [], language)],
    [t('meta.subtitlesTitle'), languageNames(media?.subtitleLanguages ?? [], language)],
  ]
  const known = shownFacts(facts, metadataShown)
  if (known.length === 0) return null
  return (
    <dl className={styles.facts}>
      {known.map(([name, value, key]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{key === undefined ? value : <SearchLinks values={String(value)} searchBy={key} />}</dd>
        </div>
      ))}
    </dl>
  )
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
