import type { Session } from '@ondine/contract/accounts'
import { LAYOUT } from '@ondine/contract/constants'
import type { Asset, Category, Image, Item } from '@ondine/contract/entities'
import type { TFunction } from 'i18next'
import { type ComponentProps, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, ButtonLink } from '../../../design/buttons/button.tsx'
import { InfoIcon, PauseIcon, PlayIcon } from '../../../design/icons/icons.tsx'
import { UNSEEN } from '../../../design/page/unseen.ts'
import { Picture } from '../../../design/pictures/picture.tsx'
import { Stage } from '../../../design/pictures/stage.tsx'
import { useAiring } from '../../../design/time/clock.ts'
import { useHour } from '../../../design/time/use-hour.ts'
import type { StageLayout } from '../../../design/tokens/layouts.ts'
import { assetKind } from '../../content/catalogue/asset-kind.ts'
import { eventInterval, isNew, isNewRare } from '../../content/catalogue/asset-tags.ts'
import { itemKey } from '../../content/catalogue/item-card.tsx'
import { assetFacts, MetaLine, seriesFacts } from '../../content/catalogue/meta-line.tsx'
import { PlayButton } from '../../content/catalogue/play-button.tsx'
import { assetAction, broadcastAction, seriesAction } from '../../content/catalogue/playing.ts'
import { seriesText } from '../../content/catalogue/series-text.ts'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { useSession } from '../../ground/session/session.ts'
import styles from './hero.module.css'

/** A title that can be a slide at the top of home. */
export type Featured = Exclude<Item, { type: 'channel' }>

/**
 * Slides of titles that fill the screen, each for 5 s (V9-10). A progress bar shows the time. The slides pause on
 * hover, on focus, and while the page is hidden. They stop when the viewer chooses a slide or presses the stop
 * button. With reduced motion, they do not start by themselves.
 */
export function Hero({
  name,
  items,
  layout,
  titleSize,
}: {
  /** Name that distinguishes the controls of this hero from other rails on the page. */
  name: string
  items: Featured[]
  layout: StageLayout
  titleSize?: number | undefined
}) {
  const { t } = useTranslation()
  const session = useSession()
  const now = useHour()
  const { newDays } = useConfiguration().catalogue
  const [chosen, setChosen] = useState(0)
  // Whether the viewer has started or stopped the slides; undefined before the viewer's choice.
  const [wish, setWish] = useState<boolean>()
  // Before the viewer's choice, the slides start to move at hydration, except with reduced motion.
  const welcome = useSyncExternalStore(onMotionChange, isMotionWelcome, notOnServer)
  const moving = wish ?? welcome
  const index = chosen < items.length ? chosen : 0
  const item = items[index]
  if (item === undefined) return null

  function choose(next: number): void {
    setChosen(next)
    setWish(false)
  }

  function onKeyDown(list: HTMLElement, event: KeyboardEvent): void {
    const forward = getComputedStyle(list).direction === 'rtl' ? -1 : 1
    const step = { ArrowRight: forward, ArrowLeft: -forward }[event.key]
    const next = step === undefined ? -1 : index + step
    if (next < 0 || next >= items.length) return
    event.preventDefault()
    choose(next)
    list.querySelectorAll('button')[next]?.focus()
  }

  const aside = items.length > 1 && (
    <fieldset ref={(list) => withKeys(list, onKeyDown)} className={styles.choices}>
      <legend className={UNSEEN}>{t('home.featured')}</legend>
      {items.map((choice, place) => {
        const { title, image } = titleOf(choice)
        return (
          <Button
            key={itemKey(choice)}
            id={`${name}-choice-${place}`}
            look="plain"
            className={styles.choice}
            aria-label={t('home.show', { title })}
            aria-pressed={choice === item}
            onPress={() => choose(place)}
          >
            {image !== null && <Picture image={image} sizes="120px" blurred={choice.payload.isBlurred} />}
            {choice === item && moving && (
              <span
                className={styles.bar}
                data-timed=""
                onAnimationEnd={() => setChosen((index + 1) % items.length)}
              />
            )}
          </Button>
        )
      })}
      <Button
        id={`${name}-pause`}
        look="icon"
        className={styles.pause}
        aria-label={t(moving ? 'home.pause' : 'home.resume')}
        onPress={() => setWish(!moving)}
      >
        {moving ? <PauseIcon /> : <PlayIcon />}
      </Button>
    </fieldset>
  )
  const assets = items.flatMap((each) => (each.type === 'asset' ? [each.payload] : []))
  const newIsRare = isNewRare(assets, now, newDays)
  const slide =
    item.type === 'asset'
      ? assetSlide(item.payload, { t, session, isNew: isNew(item.payload, now, newDays) && newIsRare })
      : seriesSlide(item.payload, session, t)
  // All slides share one stage, so that a focused element stays when the slide changes.
  return (
    <div
      className={styles.hero}
      style={{
        '--slide-time': `${LAYOUT.progressBarMs}ms`,
        ...(titleSize === undefined ? {} : { [TITLE[layout]]: `${titleSize}px` }),
      }}
    >
      <Stage layout={layout} heading="h2" aside={aside} blurred={item.payload.isBlurred} {...slide} />
    </div>
  )
}

/**
 * Calls `onKeyDown` for each key press on a control of a group. The controls also handle the keys. Returns a
 * function that ends the calls.
 */
function withKeys(
  list: HTMLElement | null,
  onKeyDown: (list: HTMLElement, event: KeyboardEvent) => void,
): (() => void) | undefined {
  if (list === null) return undefined
  const listener = (event: KeyboardEvent) => onKeyDown(list, event)
  list.addEventListener('keydown', listener)
  return () => list.removeEventListener('keydown', listener)
}

function motion(): MediaQueryList {
  return matchMedia('(prefers-reduced-motion: no-preference)')
}

function isMotionWelcome(): boolean {
  return motion().matches
}

function notOnServer(): boolean {
  return false
}

function onMotionChange(changed: () => void): () => void {
  const query = motion()
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

function titleOf(item: Featured) {
  if (item.type === 'asset') {
    const { title, thumbnailImage, backgroundImage } = item.payload
    return { title, image: thumbnailImage ?? backgroundImage }
  }
  const { name, images } = item.payload
  return { title: name, image: images.default ?? images.background }
}

/** Returns the large picture of a title. */
export function stageImage({ type, payload }: Featured): Image | null {
  return type === 'asset'
    ? (payload.backgroundImage ?? payload.posterImage)
    : (payload.images.background ?? payload.images.default)
}

/** Returns the picture of a title for phones; null without one. */
export function uprightImage({ type, payload }: Featured): Image | null {
  return type === 'asset' ? payload.portraitImage : payload.images.portrait
}

/** The custom property that sets the size of the title, by layout. */
const TITLE = { Hero: '--title-hero', FullScreen: '--title-fullscreen' } as const

type Slide = Pick<
  ComponentProps<typeof Stage>,
  'image' | 'upright' | 'eyebrow' | 'title' | 'logo' | 'children'
>

function assetSlide(
  asset: Asset,
  { t, session, isNew: fresh }: { t: TFunction; session: Session; isNew: boolean },
): Slide {
  return {
    image: stageImage({ type: 'asset', payload: asset }),
    upright: asset.portraitImage,
    eyebrow: [assetKind(asset, t), fresh ? t('tag.new') : ''].filter(Boolean).join(' · '),
    title: asset.title,
    logo: asset.logoImage,
    children: (
      <>
        <MetaLine facts={assetFacts(asset, t)} />
        <p className={styles.synopsis} dir="auto">
          {asset.tagline || asset.description}
        </p>
        <div className={styles.actions}>
          <AssetPlayButton asset={asset} session={session} />
          <MoreInfo to={asset.detailRoute} title={asset.title} />
        </div>
      </>
    ),
  }
}

function AssetPlayButton({ asset, session }: { asset: Asset; session: Session }) {
  const { t } = useTranslation()
  const airing = useAiring(asset.isBroadcast === true ? eventInterval(asset) : undefined)
  const action = assetAction(asset, session, '/', t)
  return <PlayButton action={airing === undefined ? action : broadcastAction(action, airing.state, t)} />
}

function seriesSlide(series: Category, session: Session, t: TFunction): Slide {
  return {
    image: stageImage({ type: 'category', payload: series }),
    upright: series.images.portrait,
    eyebrow: seriesText(series, t),
    title: series.name,
    logo: series.images.logo,
    children: (
      <>
        <MetaLine facts={seriesFacts(series, null, t)} />
        <p className={styles.synopsis} dir="auto">
          {series.tagline || series.synopsis}
        </p>
        <div className={styles.actions}>
          <PlayButton action={seriesAction(series, session, '/', t)} />
          <MoreInfo to={series.detailRoute} title={series.name} />
        </div>
      </>
    ),
  }
}

function MoreInfo({ to, title }: { to: string; title: string }) {
  const { t } = useTranslation()
  return (
    <ButtonLink to={to} label={t('home.moreInfoOf', { title })}>
      <InfoIcon />
      <span className={styles.long}>{t('home.moreInfo')}</span>
      <span className={styles.short}>{t('home.moreInfoShort')}</span>
    </ButtonLink>
  )
}
