import useEmblaCarousel from 'embla-carousel-react'
import { Children, type ReactNode, useCallback, useId, useSyncExternalStore } from 'react'
import { Button } from './button.tsx'
import type { CardLayout } from './card.tsx'
import { ChevronLeftIcon, ChevronRightIcon } from './icons.tsx'
import styles from './rail.module.css'

/** What a rail's own controls are called. */
export interface RailWords {
  previous: string
  next: string
}

/**
 * A row of cards from edge to edge that snaps card by card; the next one peeks in. Dragged by touch, moved by arrow
 * buttons where there is a pointer, and by the left and right arrow keys.
 */
export function Rail({
  title,
  note,
  layout,
  words,
  children,
}: {
  title: string
  note?: string | undefined
  layout: CardLayout
  words: RailWords
  children: ReactNode
}) {
  const headingId = useId()
  const [viewport, embla] = useEmblaCarousel({
    // The first visible card stands on the page's gutter, like the title above it.
    align: (viewSize) => gutter(viewSize),
    containScroll: 'trimSnaps',
    slidesToScroll: 'auto',
    dragFree: true,
    duration: 28,
  })
  const subscribe = useCallback(
    (changed: () => void) => {
      embla?.on('select', changed).on('reInit', changed).on('scroll', changed)
      return () => {
        embla?.off('select', changed).off('reInit', changed).off('scroll', changed)
      }
    },
    [embla],
  )
  const before = useSyncExternalStore(subscribe, () => embla?.canScrollPrev() ?? false, NOT_YET)
  const after = useSyncExternalStore(subscribe, () => embla?.canScrollNext() ?? false, NOT_YET)

  return (
    <section className={styles.rail} aria-labelledby={headingId}>
      <div className={styles.head}>
        <h2 id={headingId} className={styles.title}>
          {title}
        </h2>
        {note !== undefined && note !== '' && <span className={styles.note}>{note}</span>}
      </div>
      <div className={styles.stage}>
        <div className={styles.viewport} ref={viewport} data-alive={embla !== undefined || undefined}>
          <ul className={`${styles.track} ${styles[layout]}`} ref={withArrowKeys}>
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
            onPress={() => embla?.scrollPrev()}
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
            onPress={() => embla?.scrollNext()}
          >
            <ChevronRightIcon />
          </Button>
        )}
      </div>
    </section>
  )
}

const NOT_YET = () => false

/** The page's gutter in pixels, by the width of the rail; the same steps as the token `--gutter`. */
function gutter(width: number): number {
  if (width < 600) return 16
  if (width <= 820) return 24
  return width < 1200 ? 48 : 64
}

/** Lets the arrow keys move among the links of a list. They stay in the order of the Tab key too. */
function withArrowKeys(list: HTMLElement | null): (() => void) | undefined {
  if (list === null) return undefined
  const onKeyDown = (event: KeyboardEvent) => moveFocus(list, event)
  list.addEventListener('keydown', onKeyDown)
  return () => list.removeEventListener('keydown', onKeyDown)
}

/** Left and right move the focus from card to card, Home and End to the first and last one. */
function moveFocus(list: HTMLElement, event: KeyboardEvent): void {
  const links = [...list.querySelectorAll<HTMLElement>('a')]
  const current = links.findIndex((link) => link === document.activeElement)
  const target = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: links.length - 1 }[
    event.key
  ]
  const link = target === undefined || current < 0 ? undefined : links[target]
  if (link === undefined) return
  event.preventDefault()
  link.focus()
}
