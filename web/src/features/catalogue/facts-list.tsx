import { TEXTS } from '@ondine/contract/constants'
import type { Asset } from '@ondine/contract/entities'
import { useTranslation } from 'react-i18next'
import { languageNames } from '../../words/format.ts'
import { usePlace } from '../../words/place.tsx'
import styles from './facts-list.module.css'

/** Who made a title and what is in it: at most six facts (V3, metadata list). */
export function FactsList({
  metadata,
  media,
}: {
  metadata: Asset['directMetadata']
  media: Asset['medias'][number] | undefined
}) {
  const { t } = useTranslation()
  const { language } = usePlace()
  const facts = [
    [t('meta.director'), metadata.AD_LIREALIS],
    [t('meta.cast'), metadata.AD_LIACTORS],
    [t('meta.genres'), metadata.AD_LIGENRES],
    [t('meta.producer'), metadata.AD_LIPRODUC],
    [t('meta.audio'), languageNames(media?.audioLanguages ?? [], language)],
    [t('meta.subtitlesTitle'), languageNames(media?.subtitleLanguages ?? [], language)],
  ].filter(([, value]) => value !== undefined && value !== '')
  if (facts.length === 0) return null
  return (
    <dl className={styles.facts}>
      {facts.slice(0, TEXTS.metadataShown).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
