import { useSelector } from '@xstate/react'
import { useTranslation } from 'react-i18next'
import { Button, ButtonLink } from '../design/button.tsx'
import { PlayIcon } from '../design/icons.tsx'
import { BareLink } from '../design/link.tsx'
import { Picture } from '../design/picture.tsx'
import { pathOf } from '../features/links/content-link.ts'
import { SubscribeButton } from '../features/offers/subscribe-button.tsx'
import { useShop } from '../features/offers/use-shop.ts'
import styles from './binge-overlay.module.css'
import { hoverOf } from './hover.ts'
import type { PlayerActor } from './player-machine.ts'

/**
 * Offers what comes next: its picture leads to its page (V4-40), a countdown to playing it (V4-38), and where the
 * viewer's offers do not include it, to renting it (V4-39).
 */
export function BingeOverlay({ actor }: { actor: PlayerActor }) {
  const { t } = useTranslation('player')
  const counting = useSelector(actor, (state) => state.matches({ binge: 'counting' }))
  const rental = useSelector(actor, (state) => state.matches({ binge: 'rental' }))
  const next = useSelector(actor, (state) => state.context.nextAsset)
  const { rentalShop } = useShop()
  const left = useSelector(actor, (state) => state.context.bingeSecondsLeft)
  if (next === null || !(counting || rental)) return null
  const { AD_SERIESEA: season, AD_SERIESEP: episode } = next.directMetadata
  const image = next.thumbnailImage ?? next.backgroundImage ?? next.posterImage
  return (
    <section
      className={styles.overlay}
      data-over-picture="next"
      aria-label={t('nextTitle', { title: next.title })}
      {...hoverOf(actor)}
    >
      <BareLink
        className={styles.picture}
        to={next.detailRoute}
        aria-label={t('openNext', { title: next.title })}
      >
        {image !== null && <Picture image={image} sizes="200px" />}
      </BareLink>
      <div className={styles.words}>
        <p className={styles.lead}>{counting ? t('upNext', { count: left }) : t('upNextRental')}</p>
        <p className={styles.title}>
          {season === undefined || episode === undefined
            ? next.title
            : t('episodeTitle', { season, episode, title: next.title })}
        </p>
        <div className={styles.actions}>
          {counting ? (
            <Button look="primary" onPress={() => actor.send({ type: 'binge.play' })}>
              <PlayIcon />
              {t('playNow')}
            </Button>
          ) : rentalShop.kind === 'here' ? (
            <ButtonLink
              look="primary"
              to={`${pathOf('offers-cart')}?contentId=${next.idAsset}&contentType=asset`}
            >
              {t('rent')}
            </ButtonLink>
          ) : (
            <SubscribeButton shop={rentalShop} />
          )}
          <Button onPress={() => actor.send({ type: 'binge.dismiss' })}>{t('dismiss')}</Button>
        </div>
      </div>
    </section>
  )
}
