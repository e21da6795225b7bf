import { languageTag } from '@ondine/contract/languages'
import { useSelector } from '@xstate/react'
import { useTranslation } from 'react-i18next'
import { UNSEEN } from '../../design/page/unseen.ts'
import { spokenTime } from '../../design/time/time-display.ts'
import { usePlace } from '../../words/place.tsx'
import type { PlayerActor } from '../machine/player-machine.ts'

/**
 * Announces changes to screen readers: playing, paused, advertisements, and once the countdown to the next asset, or
 * the offer of a next asset that the viewer's offers do not include.
 */
export function Announcer({ actor, playback }: { actor: PlayerActor; playback: string }) {
  const { t } = useTranslation('player')
  const { language } = usePlace()
  const pausedAt = useSelector(actor, (state) =>
    state.value.playback === 'paused' ? Math.floor(state.context.reading.position) : null,
  )
  const ad = useSelector(
    actor,
    ({ context }) => context.reading.ad,
    (one, other) => one?.ad === other?.ad,
  )
  const live = useSelector(actor, (state) => state.context.playable?.live === true)
  const next = useSelector(actor, (state) => state.context.nextAsset)
  // Keeps the seconds at which the countdown began, so that it is announced only once.
  const seconds = useSelector(
    actor,
    (state) => (state.matches({ binge: 'counting' }) ? state.context.bingeSecondsLeft : null),
    (one, other) => (one === null) === (other === null),
  )
  const rental = useSelector(actor, (state) => state.matches({ binge: 'rental' }))
  let text = ''
  if (playback === 'notReady' || playback === 'buffering') text = t('announceBuffering')
  if (playback === 'playing') text = t('announcePlaying')
  if (playback === 'playing' && ad) text = t('adAnnounce', { number: ad.number, count: ad.count })
  if (pausedAt !== null) {
    text = live ? t('pause') : t('announcePaused', { position: spokenTime(pausedAt, languageTag(language)) })
  }
  let upNext = ''
  if (next !== null && seconds !== null) upNext = t('announceNext', { title: next.title, count: seconds })
  if (next !== null && rental) upNext = t('announceNextRental', { title: next.title })
  return (
    <>
      <output className={UNSEEN} aria-live="polite">
        {text}
      </output>
      <output className={UNSEEN} aria-live="polite">
        {upNext}
      </output>
    </>
  )
}
