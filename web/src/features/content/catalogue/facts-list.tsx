import type { Asset } from '@ondine/contract/entities'
import { useTranslation } from 'react-i18next'
import { dayText } from '../../../words/dates.ts'
import { languageNames, type Place } from '../../../words/format.ts'
import { usePlace } from '../../../words/place.tsx'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { type Fact, Facts } from './facts.tsx'
import { shownFacts } from './shown-facts.ts'

/** The facts of a title, such as the people who made it. The configuration limits their number (V3-14). */
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
  const facts: Fact[] = [
    [t('meta.director'), metadata.AD_LIREALIS, 'AD_LIREALIS'],
    [t('meta.cast'), metadata.AD_LIACTORS, 'AD_LIACTORS'],
    [t('meta.genres'), metadata.AD_LIGENRES, 'AD_LIGENRES'],
    [t('meta.tags'), metadata.TAGS, 'TAGS'],
    [t('meta.audio'), languageNames(media?.audioLanguages ?? [], language)],
    [t('meta.subtitlesTitle'), languageNames(media?.subtitleLanguages ?? [], language)],
    [t('meta.producer'), metadata.AD_LIPRODUC, 'AD_LIPRODUC'],
    [t('meta.released'), releaseText(metadata.TS_RELEDATE, place)],
    [t('meta.website'), metadata.website, 'website'],
  ]
  return <Facts facts={shownFacts(facts, metadataShown)} />
}

/** Formats a day such as `2026-01-31` for the viewer. If the text is not a day, returns it unchanged. */
function releaseText(day: string | number | undefined, place: Place): string | number | undefined {
  const seconds = Date.parse(String(day)) / 1000
  return Number.isNaN(seconds) ? day : dayText(seconds, place)
}
