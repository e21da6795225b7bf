import type { Channel } from '@ondine/contract/entities'
import { useRouteContext } from '@tanstack/react-router'
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  useCallback,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { withPrefix } from '../../../api/language-prefix.ts'
import { UNSEEN } from '../../../design/page/unseen.ts'
import { timeText } from '../../../words/format.ts'
import { usePlace } from '../../../words/place.tsx'
import { dayOf, type GuideDay, type GuideDays } from '../../ground/days/days.ts'
import { PartError } from '../../ground/errors/part-error.tsx'
import { useChangesOfState, useRecorded } from '../recordings/recorded-programmes.ts'
import { type GridStart, useGridScroll } from './grid-scroll.ts'
import { useGuideData } from './guide-data.ts'
import styles from './guide-grid.module.css'
import { GuideRow } from './guide-row.tsx'
import { type GridPlace, move, tileOfPlace } from './moves.ts'
import { isThere, type Walk } from './shown-day.ts'
import { isGone, isMissing, lastChange, movedTile, sliverAt, type Tile, tileAt } from './tiles.ts'

/** The selected tile of the grid. */
export interface Chosen {
  channel: Channel
  tile: Tile
  /** Whether the viewer chose the tile with a key. The panel then gets the focus when it opens. */
  byKey: boolean
}

/** The part of the time that the grid shows. Times are seconds since the Unix epoch. */
export interface GridView {
  /** The moment at the left edge of the view. */
  left: number
  /**
   * The moment to which the viewer moved with keys; undefined after the view has scrolled away from this moment.
   */
  walked: number | undefined
}

/** Functions with which the screen scrolls the grid and moves the focus. */
export interface GridHandle {
  /** Scrolls to a moment, in seconds since the Unix epoch. */
  goTo(seconds: number): void
  /** Moves the focus back to the tile that had the focus last. */
  focus(): void
}

const HALF_HOUR = 1800
const LEFT_STEP_SECONDS = 300
/**
 * The layout begins this many seconds before the first day. The server possibly assumes another time zone than the
 * viewer's. At hydration, the first day may then start up to 26 hours earlier. Because of this margin, content from
 * the server does not move.
 */
const BEFORE_DAYS_SECONDS = 26 * 3600

/**
 * The guide as a grid: channels from top to bottom, time from left to right. Only the part near the window is
 * rendered. Left and right arrow keys move to the previous and the next programme of a row. Up and down arrow keys
 * move to another channel at the same time.
 */
export function GuideGrid({
  channels,
  guide,
  before,
  now,
  start,
  chosen,
  onChoose,
  onReplace,
  onView,
  onRest,
  ref,
}: {
  channels: readonly Channel[]
  guide: GuideDays
  /** The previous days of the grid. Their programmes are shown until the data of the new days arrives. */
  before: GuideDays | undefined
  /** Seconds since the Unix epoch, like all times here. */
  now: number
  /** The moment and the row at which the view begins when the page opens. */
  start: GridStart
  chosen: Chosen | undefined
  onChoose: (chosen: Chosen) => void
  /** Called when the data of the chosen tile has arrived or changed. */
  onReplace: (chosen: Omit<Chosen, 'byKey'>) => void
  /** Called each time the grid shows another part of the time. */
  onView: (view: GridView) => void
  onRest: (at: GridStart) => void
  ref: Ref<GridHandle>
}) {
  const { t } = useTranslation()
  const prefix = useRouteContext({ from: '__root__', select: ({ environment }) => environment.prefix })
  const addressOf = useCallback((path: string) => withPrefix(path, prefix), [prefix])
  const element = useRef<HTMLDivElement>(null)
  const table = useRef<HTMLTableElement>(null)
  const { days } = guide
  const begin = days[0]?.start ?? 0
  const end = days.at(-1)?.end ?? 0
  const [origin, setOrigin] = useState(begin - BEFORE_DAYS_SECONDS)
  if (begin < origin) setOrigin(begin - BEFORE_DAYS_SECONDS)
  const scroll = useGridScroll(element, { begin, end, rows: channels.length, start }, onRest)
  const { view, left } = scroll
  const recorded = useRecorded()
  useChangesOfState()
  const data = useGuideData(
    channels.map(({ idChannel }) => idChannel),
    days,
    before?.days,
    view,
  )
  const [walk, setWalk] = useState<Walk>()
  if (walk !== undefined && !isThere(walk, left)) setWalk(undefined)
  const walked = walk?.time
  useLayoutEffect(() => onView({ left, walked }), [onView, left, walked])

  // The place of the last focus. At first, this is the current programme of the first row. In the grid, the tab
  // key reaches only this place. While the place is not rendered, the tab key reaches `anchor` instead, which is a
  // place in the view.
  const [place, setPlace] = useState<GridPlace>({ row: 0, time: now })
  // The place stays on its channel when the list of channels changes.
  const [placedIn, setPlacedIn] = useState(channels)
  if (placedIn !== channels) {
    setPlacedIn(channels)
    const row = channels.findIndex(({ idChannel }) => idChannel === placedIn[place.row]?.idChannel)
    if (row !== -1 && row !== place.row) setPlace({ ...place, row })
  }
  const isShown =
    place.row >= view.firstRow && place.row <= view.lastRow && place.time >= view.from && place.time < view.to
  const anchor: GridPlace = isShown
    ? place
    : { row: Math.min(view.firstRow + 2, view.lastRow), time: Math.max(left, view.from) }
  const anchorTiles = data.tilesOf(anchor.row)
  // While the view scrolls to a day that is not loaded yet, the tab key reaches the nearest loaded tile.
  const anchorTile = tileOfPlace(anchorTiles, anchor.time, days) ?? tileAt(anchorTiles, anchor.time)
  const wantsFocus = useRef(false)
  const hadFocus = useRef(false)

  useLayoutEffect(() => {
    const grid = table.current
    if (grid === null) return
    const inside = grid.contains(document.activeElement)
    const lost = hadFocus.current && !inside && document.activeElement === document.body
    // While the view scrolled to the place that the viewer chose with keys, the grid itself had the focus. The
    // place is rendered now, and takes the focus.
    const arrived = document.activeElement === grid && isShown
    if (wantsFocus.current || lost || arrived) {
      const target = grid.querySelector<HTMLElement>('[data-tile][tabindex="0"]')
      // If the focused tile was scrolled out of the rendered part, the grid takes the focus, so that its keys
      // still work. If new tiles have replaced the focused tile, the tile at the same place takes the focus.
      ;(lost && !wantsFocus.current && !isShown ? grid : (target ?? grid)).focus({ preventScroll: true })
      wantsFocus.current = false
    }
  })

  const revealPlace = useEffectEvent(() => {
    if (table.current?.contains(document.activeElement)) scroll.reveal(place.row, left, Infinity)
  })
  useLayoutEffect(() => {
    // The error message makes the grid lower, but the focused tile must stay visible.
    if (data.failed) revealPlace()
  }, [data.failed])

  /**
   * Tries the failed requests again. Moves the focus from the pressed button to the grid, because the button
   * disappears.
   */
  function retry() {
    wantsFocus.current = true
    data.retry()
  }

  // A panel that was opened for a tile without data shows the programme as soon as the data arrives. If the guide has
  // moved the programme of the panel, the panel follows it. If the guide no longer has the programme, the panel shows the
  // programme that took its place.
  const chosenTiles = data.tilesOf(
    channels.findIndex(({ idChannel }) => idChannel === chosen?.channel.idChannel),
  )
  const come =
    chosen !== undefined && (isMissing(chosen.tile.kind) || isGone(chosen.tile, chosenTiles))
      ? tileOfPlace(chosenTiles, Math.max(chosen.tile.start, Math.min(place.time, chosen.tile.end - 1)), days)
      : chosen && movedTile(chosen.tile, chosenTiles)
  useEffect(() => {
    if (come !== undefined && chosen !== undefined && come !== chosen.tile)
      onReplace({ channel: chosen.channel, tile: come })
  })

  useImperativeHandle(ref, () => ({
    goTo: (seconds) => {
      setWalk(undefined)
      scroll.glideTo(seconds)
    },
    focus: () => {
      element.current?.querySelector<HTMLElement>('[data-tile][tabindex="0"]')?.focus({ preventScroll: true })
    },
  }))

  function placeOf(
    target: EventTarget | null,
  ): { place: GridPlace; tile: Tile; channel: Channel } | undefined {
    const found = target instanceof Element ? target.closest<HTMLElement>('[data-tile]') : null
    const row = channels.findIndex(({ idChannel }) => String(idChannel) === found?.dataset.row)
    const channel = channels[row]
    const tile = tileAt(data.tilesOf(row), Number(found?.dataset.tile))
    if (found === null || channel === undefined || tile === undefined) return undefined
    const time = tile.start <= place.time && place.time < tile.end ? place.time : Math.max(tile.start, left)
    return { place: { row, time: Math.min(time, tile.end - 1) }, tile, channel }
  }

  function onClick(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    const here = placeOf(event.target)
    if (here === undefined) return
    event.preventDefault()
    setPlace(here.place)
    if (here.tile.kind === 'failed') return retry()
    // `detail` is 0 for a click that a key has caused.
    onChoose({ channel: here.channel, tile: here.tile, byKey: event.detail === 0 })
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.metaKey || event.shiftKey) return
    const ground = { rows: channels.length, page: scroll.page, days, tilesOf: data.tilesOf }
    if (event.key === 'Enter' || event.key === ' ') {
      const channel = channels[anchor.row]
      const isLink = event.target instanceof HTMLAnchorElement && event.key === 'Enter'
      if (isLink || channel === undefined || anchorTile === undefined) return
      event.preventDefault()
      if (anchorTile.kind === 'failed') retry()
      else onChoose({ channel, tile: anchorTile, byKey: true })
      return
    }
    const mirrored = getComputedStyle(event.currentTarget).direction === 'rtl'
    const next = move(
      anchor,
      { key: mirrored ? mirror(event.key) : event.key, ctrlKey: event.ctrlKey },
      ground,
    )
    if (next === undefined) return
    event.preventDefault()
    const time = Math.min(Math.max(next.time, begin), end - 1)
    const tile = tileOfPlace(data.tilesOf(next.row), time, days) ?? waitingTile(time, days)
    wantsFocus.current = true
    const isAlong = next.row === anchor.row
    const shown = scroll.reveal(next.row, time, isAlong ? tile.end : time + 60)
    // If the tile began earlier and is still visible, the view does not scroll. The new place is then in the
    // visible part of the tile.
    const there = Math.max(time, Math.min(shown, tile.end - 1))
    setPlace({ row: next.row, time: there })
    setWalk({ time: there, left: shown })
    const channel = channels[next.row]
    if (chosen !== undefined && channel !== undefined) onChoose({ channel, tile, byKey: false })
  }

  function onFocus(event: FocusEvent) {
    hadFocus.current = true
    const here = placeOf(event.target)
    if (here !== undefined && !wantsFocus.current && here.tile !== anchorTile) setPlace(here.place)
  }

  function onBlur({ relatedTarget, currentTarget }: FocusEvent) {
    // When the browser removes a focused element, no other element takes the focus (`relatedTarget` is null). The
    // focus has left the grid only if an element outside of the grid takes it.
    if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) hadFocus.current = false
  }

  const rows = Array.from(
    { length: Math.max(0, view.lastRow - view.firstRow + 1) },
    (_, index) => view.firstRow + index,
  )
  return (
    <div className={styles.frame}>
      <div
        ref={element}
        className={styles.grid}
        // Set only after hydration. Before that, the style sheet moves the content, and the router would scroll
        // the grid in addition.
        data-scroll-restoration-id={scroll.placed ? 'guide' : undefined}
      >
        <div
          className={styles.canvas}
          style={{
            '--minutes': (end - origin) / 60,
            '--rows': channels.length,
            '--now': (now - origin) / 60,
            // Rounded to steps, so that slow scrolling does not cause a new layout of all texts for each minute.
            '--left': Math.floor((left - origin) / LEFT_STEP_SECONDS) * (LEFT_STEP_SECONDS / 60),
            '--before': (begin - origin) / 60,
            '--start': scroll.placed ? 0 : (start.time - begin) / 60,
            '--start-row': scroll.placed ? 0 : start.row,
          }}
        >
          <table
            ref={table}
            className={styles.table}
            role="grid"
            aria-label={t('guide.grid')}
            aria-rowcount={channels.length + 1}
            tabIndex={-1}
            onClick={onClick}
            onKeyDown={onKeyDown}
            onFocus={onFocus}
            onBlur={onBlur}
          >
            <thead>
              <tr className={styles.head} aria-rowindex={1}>
                <th scope="col" className={styles.corner}>
                  <span className={UNSEEN}>{t('guide.channels')}</span>
                </th>
                <Hours origin={origin} begin={begin} from={view.from} to={Math.min(end, view.to)} />
                <NowLabel now={now} />
              </tr>
            </thead>
            <tbody>
              {rows.map((index) => {
                const channel = channels[index]
                if (channel === undefined) return null
                const tiles = data.tilesOf(index)
                return (
                  <GuideRow
                    key={channel.idChannel}
                    channel={channel}
                    index={index}
                    tiles={tiles}
                    origin={origin}
                    from={view.from}
                    to={view.to}
                    mark={lastChange(tiles, now)}
                    anchor={index === anchor.row ? anchorTile?.start : undefined}
                    selected={channel.idChannel === chosen?.channel.idChannel ? chosen.tile.start : undefined}
                    sliver={sliverAt(tiles, left)?.start}
                    recorded={recorded}
                    addressOf={addressOf}
                  />
                )
              })}
            </tbody>
          </table>
        </div>
      </div>
      <div className={styles.failed} aria-live="polite">
        {data.failed && <PartError name={t('guide.programmes')} onRetry={retry} />}
      </div>
    </div>
  )
}

/** The hours and half hours at the head of the grid. */
function Hours({ origin, begin, from, to }: Record<'origin' | 'begin' | 'from' | 'to', number>) {
  const place = usePlace()
  // Half hours are counted from local midnight, because in some time zones local midnight is 15 minutes away from a
  // half hour of UTC.
  const first = begin + Math.max(0, Math.floor((from - begin) / HALF_HOUR)) * HALF_HOUR
  const count = Math.max(0, Math.ceil((to - first) / HALF_HOUR))
  return Array.from({ length: count }, (_, index) => first + index * HALF_HOUR).map((seconds) => (
    <th key={seconds} scope="col" className={styles.hour} style={{ '--from': (seconds - origin) / 60 }}>
      <time dateTime={new Date(seconds * 1000).toISOString()}>{timeText(seconds, place)}</time>
    </th>
  ))
}

function NowLabel({ now }: { now: number }) {
  const place = usePlace()
  return (
    <td className={styles.nowLabel} aria-hidden="true">
      {timeText(now, place)}
    </td>
  )
}

/** Returns a tile that fills a whole day until the day is loaded. */
function waitingTile(seconds: number, days: readonly GuideDay[]): Tile {
  const { start, end } = dayOf(days, seconds) ?? { start: seconds, end: seconds + 1 }
  return { kind: 'waiting', start, end, programmes: [] }
}

const MIRRORED: Readonly<Record<string, string>> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' }

function mirror(key: string): string {
  return MIRRORED[key] ?? key
}
