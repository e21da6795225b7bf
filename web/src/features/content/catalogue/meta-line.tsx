import type { Asset, Category } from '@ondine/contract/entities'
import { languageTag } from '@ondine/contract/languages'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { UNSEEN } from '../../../design/page/unseen.ts'
import {
  capitalised,
  languageNames,
  languageTags,
  lengthText,
  maturityText,
  scoreText,
} from '../../../words/format.ts'
import { usePlace } from '../../../words/place.tsx'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import styles from './meta-line.module.css'

/** One line with the facts that help to choose a title: year, length, audience, languages, score. */
export function MetaLine({ facts }: { facts: Facts }) {
  const { t } = useTranslation()
  const { language } = usePlace()
  const { levelAges } = useConfiguration().accounts
  const maturity = maturityText(facts.moralityLevel, levelAges, t)
  return (
    <ul className={styles.line}>
      {facts.year !== undefined && <li>{facts.year}</li>}
      {facts.length !== '' && <li>{facts.length}</li>}
      <li className={styles.badge} title={maturity.text}>
        <span aria-hidden="true">{maturity.short}</span>
        <span className={UNSEEN}>{maturity.text}</span>
      </li>
      {facts.audio.length > 0 && (
        <li className={styles.wide}>
          <span className={UNSEEN}>
            {t('meta.audioLabel', { languages: languageNames(facts.audio, language) })}
          </span>
          <span aria-hidden="true">
            {capitalised(languageNames(facts.audio, language), languageTag(language))}
          </span>
        </li>
      )}
      {facts.subtitles.length > 0 && (
        <li className={styles.wide}>
          <span className={UNSEEN}>
            {t('meta.subtitlesLabel', { languages: languageNames(facts.subtitles, language) })}
          </span>
          <span aria-hidden="true">
            {t('meta.subtitles', { languages: languageTags(facts.subtitles, language) })}
          </span>
        </li>
      )}
      {facts.score !== undefined && (
        <li>
          <span aria-hidden="true">★ {scoreText(facts.score, language)}</span>
          <span className={UNSEEN}>{t('meta.score', { score: scoreText(facts.score, language) })}</span>
        </li>
      )}
    </ul>
  )
}

/** The facts of a {@link MetaLine}. */
export interface Facts {
  year: string | undefined
  length: string
  moralityLevel: number
  audio: string[]
  subtitles: string[]
  score: number | undefined
}

/** Returns the facts of an asset. */
export function assetFacts(asset: Asset, t: TFunction): Facts {
  return {
    year: text(asset.directMetadata.TS_PRODYEAR),
    length: asset.durationInSeconds > 0 ? lengthText(asset.durationInSeconds, t) : '',
    moralityLevel: asset.moralityLevel,
    audio: asset.medias[0]?.audioLanguages ?? [],
    subtitles: asset.medias[0]?.subtitleLanguages ?? [],
    score: number(asset.directMetadata.AD_SCORPUBL),
  }
}

/** Returns the facts of a series, with the languages of one of its episodes. */
export function seriesFacts(series: Category, episode: Asset | null, t: TFunction): Facts {
  return {
    year: text(series.directMetadata.TS_PRODYEAR),
    length: series.episodeNumber > 0 ? t('meta.episodeCount', { count: series.episodeNumber }) : '',
    moralityLevel: series.moralityLevel,
    audio: episode?.medias[0]?.audioLanguages ?? [],
    subtitles: episode?.medias[0]?.subtitleLanguages ?? [],
    score: number(series.directMetadata.AD_SCORPUBL),
  }
}

function text(value: string | number | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : String(value)
}

function number(value: string | number | undefined): number | undefined {
  const parsed = Number(value)
  return value === undefined || value === '' || Number.isNaN(parsed) || parsed <= 0 ? undefined : parsed
}
