import type { Channel, Programme } from '@ondine/contract/entities'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSelector } from '@xstate/react'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Progress } from '../../design/cards/progress.tsx'
import { Picture } from '../../design/pictures/picture.tsx'
import { useNow } from '../../design/time/clock.ts'
import { elapsedShare } from '../../design/time/live-state.ts'
import { channelsQuery, nowQuery, windowStart } from '../../features/content/line-up/queries.ts'
import type { PlayerActor } from '../machine/player-machine.ts'
import { byNumber } from '../machine/zapping.ts'
import { programmeAt } from '../opening/programmes.ts'
import styles from './channel-panel.module.css'

/** Number of channels that are rendered on each side of the middle channel. A window has room for fewer. */
const BESIDE = 24

/**
 * The channels around the current channel, with their current programmes. The viewer can switch to them without leaving
 * the player. Further channels are rendered when the keys or the buttons at both ends move to them.
 */
export function ChannelPanel({
  actor,
  zapTo,
  close,
}: {
  actor: PlayerActor
  zapTo: (id: number) => void
  close: () => void
}) {
  const { t } = useTranslation()
  const now = useNow()
  const current = useSelector(actor, (state) => state.context.target.id)
  const [middle, setMiddle] = useState(current)
  const { data } = useQuery(channelsQuery)
  const channels = useMemo(() => (data ?? []).toSorted(byNumber), [data])
  const place = channels.findIndex(({ idChannel }) => idChannel === middle)
  const from = Math.max(0, place - BESIDE)
  const near = channels.slice(from, Math.max(0, place) + BESIDE + 1)
  const { data: guide } = useQuery({
    ...nowQuery(
      windowStart(now),
      near.map(({ idChannel }) => idChannel),
    ),
    enabled: near.length > 0,
    // Keeps the programmes of the channels on display while the programmes of further channels load.
    placeholderData: keepPreviousData,
  })
  const panel = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    return () => {
      if (before instanceof HTMLElement && before !== document.body) before.focus({ preventScroll: true })
    }
  }, [])
  const isDrawn = place !== -1
  // Until the list of channels has loaded, the focus is on the panel itself.
  useEffect(() => {
    const element = (isDrawn ? buttonOf(panel.current, middle) : null) ?? panel.current
    element?.focus({ preventScroll: true })
    element?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [middle, isDrawn])

  const goTo = (channel: Channel | undefined) => {
    if (channel === undefined) return
    const button = buttonOf(panel.current, channel.idChannel)
    if (button) button.focus()
    else setMiddle(channel.idChannel)
  }
  const moveFocus = (event: KeyboardEvent, at: number) => {
    const open = ({ isIncludedInUserOffers }: Channel) => isIncludedInUserOffers
    switch (event.key) {
      case 'ArrowLeft':
        goTo(channels.slice(0, at).findLast(open))
        break
      case 'ArrowRight':
        goTo(channels.slice(at + 1).find(open))
        break
      case 'Home':
        goTo(channels.find(open))
        break
      case 'End':
        goTo(channels.findLast(open))
        break
      default:
        return
    }
    event.preventDefault()
  }
  return (
    <dialog
      ref={panel}
      id="player-channels"
      className={styles.panel}
      open
      aria-label={t('player.channels')}
      tabIndex={-1}
      data-own-arrows
    >
      <ul className={styles.list}>
        <MoreChannels next={channels[from - 1]} goTo={setMiddle} text={t('live.previousChannels')} />
        {near.map((channel, index) => (
          <li key={channel.idChannel}>
            <button
              type="button"
              data-channel={channel.idChannel}
              onKeyDown={(event) => moveFocus(event, from + index)}
              className={styles.channel}
              aria-current={channel.idChannel === current ? 'true' : undefined}
              disabled={!channel.isIncludedInUserOffers}
              onClick={() => {
                close()
                if (channel.idChannel !== current) zapTo(channel.idChannel)
              }}
            >
              <OnNow channel={channel} programmes={guide?.[`chan_${channel.idChannel}`] ?? []} now={now} />
            </button>
          </li>
        ))}
        <MoreChannels next={channels[from + near.length]} goTo={setMiddle} text={t('live.nextChannels')} />
      </ul>
    </dialog>
  )
}

function buttonOf(panel: HTMLElement | null, id: number): HTMLElement | null {
  return panel?.querySelector(`[data-channel="${id}"]`) ?? null
}

/** A button that moves to further channels, which are not rendered yet. Renders nothing if there are none. */
function MoreChannels({
  next,
  goTo,
  text,
}: {
  next: Channel | undefined
  goTo: (id: number) => void
  text: string
}) {
  if (next === undefined) return null
  return (
    <li>
      <button type="button" className={styles.channel} onClick={() => goTo(next.idChannel)}>
        <span className={styles.name}>{text}</span>
      </button>
    </li>
  )
}

/** A channel with its number, its name, and its current programme. */
function OnNow({
  channel,
  programmes,
  now,
}: {
  channel: Channel
  programmes: readonly Programme[]
  now: number
}) {
  const programme = programmeAt(programmes, now)
  return (
    <>
      <span className={styles.picture}>
        {programme?.image != null && (
          <Picture image={programme.image} sizes="200px" blurred={programme.isBlurred} />
        )}
        <span className={styles.number}>{channel.item.lcn}</span>
      </span>
      <span className={styles.name}>{channel.name}</span>
      {programme !== undefined && (
        <>
          <span className={styles.programme}>{programme.title}</span>
          <Progress value={elapsedShare(programme, now)} tone="live" />
        </>
      )}
    </>
  )
}
