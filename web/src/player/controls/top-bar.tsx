import { useSelector } from '@xstate/react'
import { useTranslation } from 'react-i18next'
import { CloseIcon } from '../../design/icons/icons.tsx'
import { spanText } from '../../features/ground/days/when.ts'
import { episodeNumbers } from '../../words/episode-numbers.ts'
import { usePlace } from '../../words/place.tsx'
import { ControlButton } from '../buttons/control-button.tsx'
import { segmentAt } from '../content/segments.ts'
import { isLiveOnly } from '../machine/player-context.ts'
import type { PlayerActor } from '../machine/player-machine.ts'
import styles from './top-bar.module.css'
import { useHover } from './use-hover.ts'
import { useMarks } from './use-marks.ts'

/** The close button, and the title of the content. */
export function TopBar({ actor }: { actor: PlayerActor }) {
  const { t } = useTranslation('player')
  const { t: anyWords } = useTranslation()
  const playable = useSelector(actor, (state) => state.context.playable)
  const programme = useSelector(actor, (state) => state.context.liveEpgProgram)
  const liveOnly = useSelector(actor, (state) => isLiveOnly(state.context))
  const marks = useMarks(actor)
  // The name of the current film, in a block (a programme of several films).
  const partLabel = useSelector(actor, (state) => segmentAt(marks, state.context.reading.position)?.label)
  const place = usePlace()
  const hover = useHover(actor)
  const metadatas = playable?.metadatas ?? {}
  const series = metadatas.AD_SURTITLE
  const numbers = episodeNumbers(metadatas)

  let title = playable?.title ?? ''
  let subtitle = ''
  if (playable?.kind === 'trailer' && playable.title !== t('trailer')) subtitle = t('trailer')
  if (playable?.kind === 'channel' && programme !== null) {
    title = programme.title
    const span = spanText(programme.startutc, programme.endutc, place, anyWords)
    subtitle = [playable.title, span, partLabel].filter((text) => text !== undefined).join(' · ')
  }
  if (playable?.isSerie === true && series !== undefined) {
    title = String(series)
    subtitle =
      numbers === undefined ? playable.title : t('episodeTitle', { ...numbers, title: playable.title })
  }

  return (
    <div className={styles.bar} {...hover}>
      <ControlButton name={t('close')} align="start" onPress={() => actor.send({ type: 'close' })}>
        <CloseIcon />
      </ControlButton>
      <div className={styles.names}>
        <h1 className={styles.title}>{title}</h1>
        {subtitle !== '' && <p className={styles.subtitle}>{subtitle}</p>}
        {liveOnly && <p className={styles.subtitle}>{t('liveOnly')}</p>}
      </div>
    </div>
  )
}
