import { languageTag } from '@ondine/contract/languages'
import { useSelector } from '@xstate/react'
import { useTranslation } from 'react-i18next'
import { UNSEEN } from '../../design/page/unseen.ts'
import { spokenTime } from '../../design/time/time-display.ts'
import { usePlace } from '../../words/place.tsx'
import type { PlayerActor } from '../machine/player-machine.ts'

/** Announces changes to screen readers: playing, paused, and advertisements. */
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
  let text = ''
  if (playback === 'notReady' || playback === 'buffering') text = t('announceBuffering')
  if (playback === 'playing') text = t('announcePlaying')
  if (playback === 'playing' && ad) text = t('adAnnounce', { number: ad.number, count: ad.count })
  if (pausedAt !== null) {
    text = live ? t('pause') : t('announcePaused', { position: spokenTime(pausedAt, languageTag(language)) })
  }
  return (
    <output className={UNSEEN} aria-live="polite">
      {text}
    </output>
  )
}
