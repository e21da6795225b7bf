import type { Asset, Category, Item } from '@ondine/contract/entities'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../design/button.tsx'
import { InfoIcon } from '../../design/icons.tsx'
import { useNow, useSession } from '../accounts/session.ts'
import { isNew } from '../catalogue/asset-tags.ts'
import { assetFacts, MetaLine, seriesFacts } from '../catalogue/meta-line.tsx'
import { PlayButton } from '../catalogue/play-button.tsx'
import { assetAction } from '../catalogue/playing.ts'
import { Stage } from '../catalogue/stage.tsx'
import styles from './hero.module.css'

/** The title that home opens with: it fills the first screen. */
export function Hero({ item }: { item: Exclude<Item, { type: 'channel' }> }) {
  return item.type === 'asset' ? <AssetHero asset={item.payload} /> : <SeriesHero series={item.payload} />
}

function AssetHero({ asset }: { asset: Asset }) {
  const { t } = useTranslation()
  const session = useSession()
  const now = useNow()
  const eyebrow = [t(asset.isSerie ? 'kind.episode' : 'kind.film'), isNew(asset, now) ? t('tag.new') : '']
  return (
    <Stage
      tall
      heading="h2"
      image={asset.backgroundImage ?? asset.posterImage}
      eyebrow={eyebrow.filter(Boolean).join(' · ')}
      title={asset.title}
      logo={asset.logoImage}
    >
      <MetaLine facts={assetFacts(asset, t)} />
      <p className={styles.synopsis}>{asset.tagline || asset.description}</p>
      <div className={styles.actions}>
        <PlayButton action={assetAction(asset, session, '/', t)} />
        <MoreInfo to={asset.detailRoute} title={asset.title} />
      </div>
    </Stage>
  )
}

function SeriesHero({ series }: { series: Category }) {
  const { t } = useTranslation()
  return (
    <Stage
      tall
      heading="h2"
      image={series.images.background ?? series.images.default}
      eyebrow={t('kind.series', { count: series.seasonNumber })}
      title={series.name}
      logo={series.images.logo}
    >
      <MetaLine facts={seriesFacts(series, null, t)} />
      <p className={styles.synopsis}>{series.tagline || series.synopsis}</p>
      <div className={styles.actions}>
        <MoreInfo to={series.detailRoute} title={series.name} />
      </div>
    </Stage>
  )
}

function MoreInfo({ to, title }: { to: string; title: string }) {
  const { t } = useTranslation()
  return (
    <ButtonLink to={to} label={`${t('home.moreInfo')} : ${title}`}>
      <InfoIcon />
      <span className={styles.long}>{t('home.moreInfo')}</span>
      <span className={styles.short}>{t('home.moreInfoShort')}</span>
    </ButtonLink>
  )
}
