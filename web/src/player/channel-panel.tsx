import { useQuery } from '@tanstack/react-query'
import { useSelector } from '@xstate/react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useNow } from '../design/clock.ts'
import { elapsedShare } from '../design/live-state.ts'
import { Picture } from '../design/picture.tsx'
import { Progress } from '../design/progress.tsx'
import { channelsQuery, nowQuery, windowStart } from '../features/channels/queries.ts'
import styles from './channel-panel.module.css'
import type { PlayerActor } from './player-machine.ts'
import { programmeAt } from './programmes.ts'

/** All channels with what is on now, to go to without leaving the player. */
export function ChannelPanel({
  actor,
  zapTo,
  close,
}: {
  actor: PlayerActor
  zapTo: (id: number) => void
  close: () => void
}) {
  const { t } = useTranslation('player')
  const now = useNow()
  const current = useSelector(actor, (state) => state.context.target.id)
  const { data: channels = [] } = useQuery(channelsQuery)
  const { data: guide } = useQuery(nowQuery(windowStart(now)))
  const panel = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    const element = panel.current?.querySelector<HTMLElement>('[aria-current]') ?? panel.current
    element?.focus({ preventScroll: true })
    element?.scrollIntoView({ inline: 'center', block: 'nearest' })
    return () => {
      if (before instanceof HTMLElement && before !== document.body) before.focus({ preventScroll: true })
    }
  }, [])
  return (
    <dialog
      ref={panel}
      id="player-channels"
      className={styles.panel}
      open
      aria-label={t('channels')}
      tabIndex={-1}
      data-own-arrows
    >
      <ul className={styles.list}>
        {channels
          .toSorted((a, b) => a.item.lcn - b.item.lcn)
          .map((channel) => {
            const programme = programmeAt(guide?.[`chan_${channel.idChannel}`] ?? [], now)
            return (
              <li key={channel.idChannel}>
                <button
                  type="button"
                  onKeyDown={moveFocus}
                  className={styles.channel}
                  aria-current={channel.idChannel === current ? 'true' : undefined}
                  disabled={!channel.isIncludedInUserOffers}
                  onClick={() => {
                    close()
                    if (channel.idChannel !== current) zapTo(channel.idChannel)
                  }}
                >
                  <span className={styles.picture}>
                    {programme?.image != null && <Picture image={programme.image} sizes="200px" />}
                    <span className={styles.number}>{channel.item.lcn}</span>
                  </span>
                  <span className={styles.name}>{channel.name}</span>
                  {programme !== undefined && (
                    <>
                      <span className={styles.programme}>{programme.title}</span>
                      <Progress value={elapsedShare(programme, now)} tone="live" />
                    </>
                  )}
                </button>
              </li>
            )
          })}
      </ul>
    </dialog>
  )
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...(event.currentTarget.closest('ul')?.querySelectorAll('button:not(:disabled)') ?? [])]
  const at = buttons.findIndex((button) => button === document.activeElement)
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: buttons.length - 1 }[event.key]
  const button = to === undefined ? undefined : buttons[to]
  if (!(button instanceof HTMLElement)) return
  event.preventDefault()
  button.focus()
}
