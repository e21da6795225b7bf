import type { Channel, Programme } from '@ondine/contract/entities'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink, RowWords } from '../../../design/buttons/button.tsx'
import { StartOverIcon } from '../../../design/icons/screen-icons.tsx'
import { liveState } from '../../../design/time/live-state.ts'
import { channelAction } from '../../content/catalogue/playing.ts'
import { useSession } from '../../ground/session/session.ts'
import { mayStartOver, SOON, startOverKey, startOverPath } from './start-over.ts'
import styles from './start-over-button.module.css'

/** The programme to start over, its channel, and the current time in seconds since the Unix epoch. */
interface StartOver {
  programme: Programme
  channel: Channel
  now: number
}

/**
 * The button that plays a current or past programme from its beginning (V1-08). Shown only to viewers who may play
 * the channel. For other viewers, the channel's play button explains the requirements.
 */
export function StartOverButton({ look, ...props }: StartOver & { look?: 'primary' }) {
  const { t } = useTranslation()
  if (!usePlays(props)) return null
  return (
    <KeptPlace {...props}>
      <ButtonLink to={startOverPath(props.programme)} {...(look && { look })}>
        <StartOverIcon />
        <RowWords>{t('guide.watchFromStart')}</RowWords>
      </ButtonLink>
    </KeptPlace>
  )
}

/** Tells viewers without a {@link StartOverButton} that the programme can be started over. */
export function StartOverNote({ programme, channel, now }: StartOver) {
  const { t } = useTranslation()
  if (usePlays({ channel }) || !mayStartOver(programme, channel, now)) return null
  return <p className={styles.note}>{t(startOverKey(liveState(programme, now)))}</p>
}

/** Returns whether the viewer may start a programme over now. */
export function useMayStartOver({ programme, channel, now }: StartOver): boolean {
  return usePlays({ channel }) && mayStartOver(programme, channel, now)
}

/** Returns whether the viewer may play the channel. */
function usePlays({ channel }: Pick<StartOver, 'channel'>): boolean {
  const { t } = useTranslation()
  return channelAction(channel, useSession(), channel.detailRoute, t).kind === 'play'
}

/**
 * Shows its children while the programme can be started over. If this may become possible later, reserves space
 * for the children, so that nothing around them moves.
 */
function KeptPlace({ programme, channel, now, children }: StartOver & { children: ReactNode }) {
  const may = mayStartOver(programme, channel, now)
  const { startutc, startoverEnabled } = programme
  const [mayCome] = useState(() => startutc > now && startutc - now < SOON)
  const [was] = useState(may)
  const isKept = startoverEnabled && channel.ottConfiguration.startOver && (was || mayCome)
  if (!may && !isKept) return null
  return (
    <div className={styles.place} data-unseen={!may || undefined}>
      {children}
    </div>
  )
}
