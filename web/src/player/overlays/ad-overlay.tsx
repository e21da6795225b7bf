import { useSelector } from '@xstate/react'
import { useTranslation } from 'react-i18next'
import type { PlayerActor } from '../machine/player-machine.ts'
import styles from './ad-overlay.module.css'

/**
 * Replaces the controls during an advertisement (V4-32, V4-33). Shows the advertisement's number and the remaining
 * time, a link to the advertiser's page, and a button that skips the advertisement after a delay.
 *
 * @param screen whether this is a screen that a phone controls. It then has no link and no button
 */
export function AdOverlay({ actor, screen = false }: { actor: PlayerActor; screen?: boolean }) {
  const { t } = useTranslation('player')
  const playing = useSelector(
    actor,
    ({ context: { reading } }) => reading.ad,
    (one, other) =>
      one?.ad === other?.ad && Math.floor(one?.position ?? 0) === Math.floor(other?.position ?? 0),
  )
  if (playing === undefined) return null
  const { ad, number, count, position } = playing
  const { skipAfter } = ad
  const wait =
    skipAfter === null || skipAfter >= ad.duration ? null : Math.ceil(skipAfter - Math.floor(position))
  const left = Math.max(0, Math.ceil(ad.duration - Math.floor(position)))
  return (
    <section className={styles.overlay} data-over-picture="ad" aria-label={t('ad')}>
      <p className={styles.count}>{t('adCount', { number, count, seconds: left })}</p>
      {ad.clickUrl !== null && !screen && (
        <a
          className={styles.action}
          href={ad.clickUrl}
          target="_blank"
          rel="noopener noreferrer"
          onClick={() => actor.send({ type: 'ad.click' })}
        >
          {t('adMore')}
        </a>
      )}
      {wait !== null && !screen && (
        <button
          type="button"
          className={styles.action}
          disabled={wait > 0}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => actor.send({ type: 'ad.skip' })}
        >
          {wait > 0 ? t('adSkipIn', { count: wait }) : t('adSkip')}
        </button>
      )}
    </section>
  )
}
