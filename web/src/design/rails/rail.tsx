import { LAYOUT } from '@ondine/contract/constants'
import {
  Children,
  type CSSProperties,
  type ReactNode,
  useCallback,
  useId,
  useState,
  useSyncExternalStore,
} from 'react'
import { Button } from '../buttons/button.tsx'
import { BareLink } from '../buttons/link.tsx'
import { ChevronLeftIcon, ChevronRightIcon } from '../icons/icons.tsx'
import { PICTURE_RATIOS, type RailLayout, titleProperties } from '../tokens/layouts.ts'
import styles from './rail.module.css'
import { rememberPlace } from './rail-memory.ts'
import { type RailPlace, RailScroller } from './rail-scroller.ts'

/** Labels of a rail's own controls. */
export interface RailWords {
  previous: string
  next: string
  /**
   * Returns the label of the page with the number `page`, from 1. Required if the rail shows its pages as dots.
   */
  page?: (page: number, pages: number) => string
}

/**
 * A horizontal row of cards, as wide as the window. It snaps to cards, and shows a part of the next card. The rail
 * scrolls by touch, wheel and arrow keys, and by arrow buttons if there is a pointer. When a viewer returns to the
 * page, the rail restores its position.
 */
export function Rail({
  name,
  title,
  note,
  layout,
  words,
  more,
  pagination = false,
  titleSize,
  imageHeight,
  perView,
  few,
  children,
}: {
  /** Name of the rail, unique on the page. Required if the server reuses a rendered rail on many pages. */
  name?: string | undefined
  title: string
  note?: string | undefined
  layout: RailLayout
  words: RailWords
  /** Link to the full list. `label` is the link's accessible name, which includes the name of the list. */
  more?: { to: string; text: string; label: string } | undefined
  /** Whether the rail shows its pages as dots. The rail then has arrow buttons at any window width (V9-09). */
  pagination?: boolean
  /** Size of the cards' titles in px. Defaults to the size of the layout (V9-14). */
  titleSize?: number | undefined
  /** Height of the cards' pictures in px. Defaults to the height of the layout. */
  imageHeight?: number | undefined
  /** Number of cards that fill the width of the window. By default, as many as fit at the layout's card width. */
  perView?: number | undefined
  /** Number of cards, set only if there are few. The cards then grow in a wide window. */
  few?: number | undefined
  children: ReactNode
}) {
  const counted = useId()
  const headingId = name === undefined ? counted : `rail-${name.replaceAll(/\s+/g, '-')}`
  const [scroller, setScroller] = useState<RailScroller>()
  const { before, after, pages, page } = useSyncExternalStore(
    scroller?.watch ?? never,
    scroller?.place ?? atStart,
    atStart,
  )
  const alive = useCallback(
    (view: HTMLElement | null) => {
      const track = view?.firstElementChild
      setScroller(
        view && track instanceof HTMLElement ? new RailScroller(view, track, pagination) : undefined,
      )
      if (view) rememberPlace(view, title)
    },
    [title, pagination],
  )

  return (
    <section
      className={styles.rail}
      aria-labelledby={headingId}
      data-pagination={pagination || undefined}
      data-per-view={perView}
      data-few={few}
      style={railProperties(layout, { titleSize, imageHeight, perView, few })}
    >
      <div className={styles.head}>
        <h2 id={headingId} className={styles.title} dir="auto">
          {title}
        </h2>
        {note !== undefined && note !== '' && <span className={styles.note}>{note}</span>}
        {more !== undefined && (
          <BareLink to={more.to} className={styles.more} aria-label={more.label}>
            {more.text}
            <ChevronRightIcon />
          </BareLink>
        )}
      </div>
      <div className={styles.stage}>
        <div className={styles.view} ref={alive}>
          <ul className={`${styles.track} ${styles[layout]}`} ref={(list) => withArrowKeys(list, scroller)}>
            {Children.map(children, (child) => (
              <li className={styles.slide}>{child}</li>
            ))}
          </ul>
        </div>
        {before && (
          <Button
            look="icon"
            className={styles.previous}
            aria-label={words.previous}
            excludeFromTabOrder
            onPress={() => scroller?.previous()}
          >
            <ChevronLeftIcon />
          </Button>
        )}
        {after && (
          <Button
            look="icon"
            className={styles.next}
            aria-label={words.next}
            excludeFromTabOrder
            onPress={() => scroller?.next()}
          >
            <ChevronRightIcon />
          </Button>
        )}
      </div>
      {pagination && pages > MOST_DOTS && (
        <p className={styles.count}>{words.page?.(page + 1, pages) ?? `${page + 1} / ${pages}`}</p>
      )}
      {pagination && pages > 1 && pages <= MOST_DOTS && (
        <div className={styles.pages}>
          {Array.from({ length: pages }, (_, index) => (
            <Button
              key={index}
              look="plain"
              className={styles.page}
              aria-label={words.page?.(index + 1, pages) ?? String(index + 1)}
              aria-current={index === page}
              onPress={() => scroller?.showPage(index)}
            >
              <span className={styles.dot} />
            </Button>
          ))}
        </div>
      )}
    </section>
  )
}

/**
 * Maximum number of dots that fit on a phone. With more pages, the rail shows the number of the current page
 * instead.
 */
const MOST_DOTS = 10

const START: RailPlace = { before: false, after: false, pages: 1, page: 0 }
const atStart = () => START
const never = () => () => {}

function railProperties(
  layout: RailLayout,
  {
    titleSize,
    imageHeight,
    perView,
    few,
  }: Record<'titleSize' | 'imageHeight' | 'perView' | 'few', number | undefined>,
): CSSProperties {
  return {
    // Time before the rail's buttons hide after the pointer has left the rail (V9-09).
    '--hover-close': `${LAYOUT.hoverCloseMs}ms`,
    ...(perView === undefined ? {} : { '--per-view': perView }),
    ...(few === undefined ? {} : { '--few': few }),
    ...(titleSize === undefined ? {} : titleProperties('--card-title', titleSize)),
    ...(imageHeight === undefined
      ? {}
      : { '--picture-width': `${Math.round(imageHeight * PICTURE_RATIOS[layout])}px` }),
  }
}

/**
 * Lets the arrow keys move the focus between the links of a rail. Each link can still be reached with the Tab key.
 */
function withArrowKeys(
  list: HTMLElement | null,
  scroller: RailScroller | undefined,
): (() => void) | undefined {
  if (list === null) return undefined
  const onKeyDown = (event: KeyboardEvent) => moveFocus(list, event, scroller)
  // When a card gets the focus by keyboard, scrolls until it is fully visible. Browsers scroll by less, and
  // snapping then cuts off the edge of the card again.
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof Element) || !target.matches(':focus-visible')) return
    scroller?.show([...list.children].findIndex((card) => card.contains(target)))
  }
  list.addEventListener('keydown', onKeyDown)
  list.addEventListener('focusin', onFocus)
  return () => {
    list.removeEventListener('keydown', onKeyDown)
    list.removeEventListener('focusin', onFocus)
  }
}

/**
 * Moves the focus. Left and right lead to the next card in that direction, Home and End to the first and the last
 * card.
 */
function moveFocus(list: HTMLElement, event: KeyboardEvent, scroller: RailScroller | undefined): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const cards = [...list.children]
  const current = cards.findIndex((card) => card.contains(document.activeElement))
  const forward = getComputedStyle(list).direction === 'rtl' ? -1 : 1
  const target = {
    ArrowLeft: current - forward,
    ArrowRight: current + forward,
    Home: 0,
    End: cards.length - 1,
  }[event.key]
  if (target === undefined || current < 0) return
  const link = cards[target]?.querySelector<HTMLElement>('a, button')
  if (!link) return
  event.preventDefault()
  // The browser's own scrolling is disabled, because it would jump. The rail scrolls to the card with an
  // animation.
  link.focus({ preventScroll: scroller !== undefined })
}
