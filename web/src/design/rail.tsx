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
import { Button } from './button.tsx'
import { ChevronLeftIcon, ChevronRightIcon } from './icons.tsx'
import { PICTURE_RATIOS, type RailLayout, titleProperties } from './layouts.ts'
import { BareLink } from './link.tsx'
import styles from './rail.module.css'
import { rememberPlace } from './rail-memory.ts'
import { type RailPlace, RailScroller } from './rail-scroller.ts'

/** What a rail's own controls are called. */
export interface RailWords {
  previous: string
  next: string
  /** Names the page with the number `page`, from 1; needed by a rail that shows its pages. */
  page?: (page: number, pages: number) => string
}

/**
 * A row of cards from edge to edge that snaps card by card; the next one peeks in. Moved by finger and wheel, by arrow
 * buttons where there is a pointer, and by the arrow keys. It keeps its place when a viewer comes back to the page.
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
  /** Tells it from the others of its page; needed where the server draws it once for many pages. */
  name?: string | undefined
  title: string
  note?: string | undefined
  layout: RailLayout
  words: RailWords
  /** Leads to all that the rail shows a part of; `label` is the text with what it is of. */
  more?: { to: string; text: string; label: string } | undefined
  /** Shows its pages as dots; then its buttons work at any width (V9-09). */
  pagination?: boolean
  /** Size of the cards' titles, in px; by default that of the layout (V9-14). */
  titleSize?: number | undefined
  /** Height of the cards' pictures, in px; by default that of the layout. */
  imageHeight?: number | undefined
  /** How many cards fill the width of the window; by default as many as have room at the size of the layout. */
  perView?: number | undefined
  /** The number of cards, when there are so few that they grow in a wide window. */
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
      {pagination && pages > 1 && (
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
    // How long its buttons stay after the pointer has left (V9-09).
    '--hover-close': `${LAYOUT.hoverCloseMs}ms`,
    ...(perView === undefined ? {} : { '--per-view': perView }),
    ...(few === undefined ? {} : { '--few': few }),
    ...(titleSize === undefined ? {} : titleProperties('--card-title', titleSize)),
    ...(imageHeight === undefined
      ? {}
      : { '--picture-width': `${Math.round(imageHeight * PICTURE_RATIOS[layout])}px` }),
  }
}

/** Lets the arrow keys move among the links of a rail. They stay in the order of the Tab key too. */
function withArrowKeys(
  list: HTMLElement | null,
  scroller: RailScroller | undefined,
): (() => void) | undefined {
  if (list === null) return undefined
  const onKeyDown = (event: KeyboardEvent) => moveFocus(list, event, scroller)
  // However the keys came to a card, it is seen whole: a browser leaves it where snapping pulls its edge away again.
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

/** Left and right move the focus from card to card, Home and End to the first and last one. */
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
  // The rail glides there; the browser would jump.
  link.focus({ preventScroll: scroller !== undefined })
}
