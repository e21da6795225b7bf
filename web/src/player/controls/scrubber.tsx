import { PLAYER } from '@ondine/contract/constants'
import { languageTag } from '@ondine/contract/languages'
import { useSelector } from '@xstate/react'
import { type PointerEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { elapsedShare } from '../../design/time/live-state.ts'
import { playerTime, spokenTime } from '../../design/time/time-display.ts'
import { usePlace } from '../../words/place.tsx'
import { chapterAt, snapToChapter } from '../content/segments.ts'
import { isBehindLive, snapLivePercent } from '../engine/live-edge.ts'
import { canMove } from '../machine/player-context.ts'
import type { PlayerActor } from '../machine/player-machine.ts'
import { broadcastTime } from '../machine/player-steps.ts'
import { ScrubPreview } from './scrub-preview.tsx'
import styles from './scrubber.module.css'
import { useMarks } from './use-marks.ts'

/** Distance in pixels within which a mouse pointer snaps to the start of a chapter, or of a film in a block. */
const POINTER_REACH = 3

/** The seek bar: position, buffered range, chapters, and a preview of the position under the pointer. */
export function Scrubber({ actor }: { actor: PlayerActor }) {
  const { t } = useTranslation('player')
  const { language } = usePlace()
  const reading = useSelector(actor, (state) => state.context.reading)
  const marks = useMarks(actor)
  const live = useSelector(actor, (state) => state.context.playable?.live === true)
  const movable = useSelector(actor, (state) => canMove(state.context))
  const programme = useSelector(actor, (state) => state.context.liveEpgProgram)
  const track = useRef<HTMLDivElement>(null)
  /** Position of the pointer, from 0 to 1, and whether it drags the thumb. */
  const [pointer, setPointer] = useState<{ at: number; dragging: boolean } | null>(null)

  const { range, duration } = reading
  const known = duration > 0
  const percentOf = (position: number) =>
    known ? Math.min(100, Math.max(0, ((position - range.start) / duration) * 100)) : 0
  const positionOf = (fraction: number) => range.start + fraction * duration
  const played = pointer?.dragging === true ? pointer.at * 100 : playedPercent()
  const shownPosition = pointer?.dragging === true ? positionOf(pointer.at) : reading.position
  const tag = languageTag(language)

  const fractionAt = (event: PointerEvent) => {
    const box = track.current?.getBoundingClientRect()
    if (box === undefined || box.width === 0) return 0
    const fraction = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width))
    if (!known) return fraction
    const pixels = event.pointerType === 'touch' ? PLAYER.chapterDragThreshold : POINTER_REACH
    const reach = (pixels / box.width) * duration
    const snapped = (snapToChapter(positionOf(fraction), marks, reach) - range.start) / duration
    return Math.min(1, Math.max(0, snapped))
  }
  const seekTo = (fraction: number) => {
    const percent = fraction * 100
    if (live && snapLivePercent(percent) === 100) actor.send({ type: 'toLive' })
    else actor.send({ type: 'seekTo', position: positionOf(fraction) })
  }

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (!movable || !known || event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setPointer({ at: fractionAt(event), dragging: true })
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (event.pointerType === 'touch') actor.send({ type: 'activity' })
    setPointer((before) => ({ at: fractionAt(event), dragging: before?.dragging ?? false }))
  }
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    if (pointer?.dragging !== true) return
    seekTo(fractionAt(event))
    setPointer(event.pointerType === 'touch' ? null : { at: fractionAt(event), dragging: false })
  }

  return (
    <div
      className={styles.scrubber}
      data-movable={movable || undefined}
      data-dragging={pointer?.dragging === true || undefined}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => setPointer(null)}
      onPointerLeave={() => setPointer((before) => (before?.dragging === true ? before : null))}
    >
      {/* Only screen readers and keys use this element. Pointers use the enclosing element. */}
      <input
        className={styles.input}
        type="range"
        disabled={!movable}
        min={0}
        max={Math.round(duration)}
        step={1}
        value={Math.floor(Math.max(0, reading.position - range.start))}
        aria-label={t('position')}
        aria-valuetext={valueText()}
        onChange={(event) =>
          actor.send({ type: 'seekTo', position: range.start + event.target.valueAsNumber })
        }
      />
      <div className={styles.hit}>
        <div ref={track} className={styles.track}>
          <span
            className={styles.loaded}
            style={{ transform: `scaleX(${movable ? percentOf(reading.bufferedUntil) / 100 : 0})` }}
          />
          <span
            className={styles.played}
            data-live={live || undefined}
            style={{ transform: `scaleX(${played / 100})` }}
          />
          {marks
            .filter(({ start }) => start > range.start && start < range.start + duration)
            .map(({ start }) => (
              <span key={start} className={styles.gap} style={{ left: `${percentOf(start)}%` }} />
            ))}
        </div>
        {movable && known && (
          <span className={styles.carrier} style={{ transform: `translateX(${played}%)` }}>
            <span className={styles.thumb} />
          </span>
        )}
      </div>
      {pointer !== null && movable && known && (
        <ScrubPreview
          actor={actor}
          at={pointer.at}
          position={positionOf(pointer.at)}
          text={
            live
              ? `−${playerTime(reading.edge - positionOf(pointer.at), duration)}`
              : playerTime(positionOf(pointer.at), duration)
          }
          chapter={chapterAt(marks, positionOf(pointer.at))?.label}
        />
      )}
    </div>
  )

  function playedPercent(): number {
    // If seeking is not possible, the bar shows the progress of the programme instead of the seekable window.
    if (live && !movable) {
      const at = broadcastTime(reading, actor.getSnapshot().context.parts)
      return programme === null ? 0 : elapsedShare(programme, at) * 100
    }
    const percent = percentOf(reading.position)
    return live ? snapLivePercent(percent) : percent
  }

  function valueText(): string {
    if (live) {
      return isBehindLive(reading.position, reading.edge)
        ? t('positionBehind', { behind: spokenTime(reading.edge - reading.position, tag) })
        : t('positionLive')
    }
    const words = {
      position: spokenTime(shownPosition, tag),
      duration: spokenTime(Math.round(duration), tag),
    }
    const chapter = chapterAt(marks, shownPosition)?.label
    return chapter === undefined
      ? t('positionValue', words)
      : t('positionValueChapter', { ...words, chapter })
  }
}
