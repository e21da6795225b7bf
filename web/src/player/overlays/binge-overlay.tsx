import { useSelector } from '@xstate/react'
import { useTranslation } from 'react-i18next'
import { Button, ButtonLink } from '../../design/buttons/button.tsx'
import { BareLink } from '../../design/buttons/link.tsx'
import { PlayIcon } from '../../design/icons/icons.tsx'
import { Picture } from '../../design/pictures/picture.tsx'
import { pathOf } from '../../features/ground/links/content-link.ts'
import { cartPath } from '../../features/rights/offers/offer-paths.ts'
import { SubscribeButton } from '../../features/rights/offers/subscribe-button.tsx'
import { useShop } from '../../features/rights/offers/use-shop.ts'
import { episodeNumbers } from '../../words/episode-numbers.ts'
import { amountText } from '../../words/money.ts'
import { usePlace } from '../../words/place.tsx'
import { useHover } from '../controls/use-hover.ts'
import type { PlayerActor } from '../machine/player-machine.ts'
import styles from './binge-overlay.module.css'

/**
 * Offers the next asset. The picture is a link to the page of the asset (V4-40), and a countdown starts the asset
 * (V4-38). If the viewer's offers do not include the asset, the overlay offers a rental (V4-39), or else a
 * subscription.
 *
 * @param screen whether this is a screen that a phone controls. It then shows the countdown only, without link and
 * buttons
 */
export function BingeOverlay({ actor, screen = false }: { actor: PlayerActor; screen?: boolean }) {
  const { t } = useTranslation()
  const { language } = usePlace()
  const counting = useSelector(actor, (state) => state.matches({ binge: 'counting' }))
  const rental = useSelector(actor, (state) => state.matches({ binge: 'rental' }))
  const next = useSelector(actor, (state) => state.context.nextAsset)
  const { shop, sellsSingles } = useShop()
  const left = useSelector(actor, (state) => state.context.bingeSecondsLeft)
  const hover = useHover(actor)
  if (next === null || !(counting || (rental && !screen))) return null
  const numbers = episodeNumbers(next.directMetadata)
  const rentalPrice = sellsSingles ? next.rentalPrice : null
  const image = next.thumbnailImage ?? next.backgroundImage ?? next.posterImage
  const picture = image !== null && <Picture image={image} sizes="200px" blurred={next.isBlurred} />
  return (
    <section
      className={styles.overlay}
      data-over-picture="next"
      aria-label={t('player.nextTitle', { title: next.title })}
      {...hover}
    >
      {screen ? (
        <div className={styles.picture}>{picture}</div>
      ) : (
        <BareLink
          className={styles.picture}
          to={next.detailRoute}
          aria-label={t('player.openNext', { title: next.title })}
        >
          {picture}
        </BareLink>
      )}
      <div className={styles.words}>
        <p className={styles.lead}>
          {counting ? t('player.upNext', { count: left }) : t('player.upNextRental')}
        </p>
        <p className={styles.title}>
          {numbers === undefined ? next.title : t('player.episodeTitle', { ...numbers, title: next.title })}
        </p>
        {!screen && (
          <div className={styles.actions}>
            {counting ? (
              <Button look="primary" onPress={() => actor.send({ type: 'binge.play' })}>
                <PlayIcon />
                {t('player.playNow')}
              </Button>
            ) : rentalPrice !== null ? (
              <ButtonLink look="primary" to={cartPath({ offerIds: [], contentId: next.target.id })}>
                {t('offers.rent', { price: amountText(rentalPrice, language) })}
              </ButtonLink>
            ) : shop.kind === 'here' ? (
              <ButtonLink look="primary" to={pathOf('offers')}>
                {t('offers.subscribe')}
              </ButtonLink>
            ) : (
              <SubscribeButton shop={shop} />
            )}
            <Button onPress={() => actor.send({ type: 'binge.dismiss' })}>{t('player.dismiss')}</Button>
          </div>
        )}
      </div>
    </section>
  )
}
