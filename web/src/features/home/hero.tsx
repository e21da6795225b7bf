import type { Asset, Category, Item } from '@ondine/contract/entities'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, ButtonLink } from '../../design/button.tsx'
import { useNow } from '../../design/clock.ts'
import { InfoIcon } from '../../design/icons.tsx'
import { Picture } from '../../design/picture.tsx'
import { Stage } from '../../design/stage.tsx'
import { useSession } from '../accounts/session.ts'
import { isNew } from '../catalogue/asset-tags.ts'
import { itemKey } from '../catalogue/item-card.tsx'
import { assetFacts, MetaLine, seriesFacts } from '../catalogue/meta-line.tsx'
import { PlayButton } from '../catalogue/play-button.tsx'
import { assetAction } from '../catalogue/playing.ts'
import styles from './hero.module.css'

/** A title that home can open with. */
export type Featured = Exclude<Item, { type: 'channel' }>

/** The title that home opens with, filling the first screen, and the others to choose from. */
export function Hero({ items }: { items: Featured[] }) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState(0)
  const item = items[chosen] ?? items[0]
  if (item === undefined) return null
  const choices = items.length > 1 && (
    <fieldset className={styles.choices}>
      <legend className={styles.legend}>{t('home.featured')}</legend>
      {items.map((choice, index) => {
        const { title, image } = titleOf(choice)
        return (
          <Button
            key={itemKey(choice)}
            look="plain"
            className={styles.choice}
            aria-label={t('home.show', { title })}
            aria-pressed={choice === item}
            onPress={() => setChosen(index)}
          >
            {image !== null && <Picture image={image} sizes="120px" />}
          </Button>
        )
      })}
    </fieldset>
  )
  return item.type === 'asset' ? (
    <AssetHero asset={item.payload} choices={choices} />
  ) : (
    <SeriesHero series={item.payload} choices={choices} />
  )
}

function titleOf(item: Featured) {
  if (item.type === 'asset') {
    const { title, thumbnailImage, backgroundImage } = item.payload
    return { title, image: thumbnailImage ?? backgroundImage }
  }
  const { name, images } = item.payload
  return { title: name, image: images.default ?? images.background }
}

function AssetHero({ asset, choices }: { asset: Asset; choices: ReactNode }) {
  const { t } = useTranslation()
  const session = useSession()
  const now = useNow()
  const eyebrow = [t(asset.isSerie ? 'kind.episode' : 'kind.film'), isNew(asset, now) ? t('tag.new') : '']
  return (
    <Stage
      layout="Hero"
      heading="h2"
      image={asset.backgroundImage ?? asset.posterImage}
      eyebrow={eyebrow.filter(Boolean).join(' · ')}
      title={asset.title}
      logo={asset.logoImage}
      aside={choices}
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

function SeriesHero({ series, choices }: { series: Category; choices: ReactNode }) {
  const { t } = useTranslation()
  return (
    <Stage
      layout="Hero"
      heading="h2"
      image={series.images.background ?? series.images.default}
      eyebrow={t('kind.series', { count: Math.max(1, series.categories.length) })}
      title={series.name}
      logo={series.images.logo}
      aside={choices}
    >
      <MetaLine facts={seriesFacts(series, null, t)} />
      <p className={styles.synopsis}>{series.tagline || series.synopsis}</p>
      <div className={styles.actions}>
        <MoreInfo to={series.detailRoute} title={series.name} first />
      </div>
    </Stage>
  )
}

function MoreInfo({ to, title, first = false }: { to: string; title: string; first?: boolean }) {
  const { t } = useTranslation()
  return (
    <ButtonLink look={first ? 'primary' : 'secondary'} to={to} label={`${t('home.moreInfo')} : ${title}`}>
      <InfoIcon />
      <span className={styles.long}>{t('home.moreInfo')}</span>
      <span className={styles.short}>{t('home.moreInfoShort')}</span>
    </ButtonLink>
  )
}
