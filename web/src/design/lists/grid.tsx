import { Children, type CSSProperties, isValidElement, type ReactNode } from 'react'
import { CardSkeleton } from '../skeletons/card-skeleton.tsx'
import { gridColumns, type RailLayout, titleProperties } from '../tokens/layouts.ts'
import styles from './grid.module.css'

/**
 * Window widths, in px, at which the number of columns can change. {@link gridColumns} returns the number for each
 * width.
 */
const STEPS = [0, 600, 768, 1024, 1200, 1600, 2200, 3000] as const

/**
 * Maximum number of placeholders for cards that are still loading. With this many, the end of the list stays
 * outside the window until the cards arrive.
 */
const MOST_KEPT = 21

/**
 * A grid of cards: 1 or 3 per row in a narrow window, up to 8 covers or 7 other cards per row at the widest
 * (V9-12).
 *
 * @param titleSize size of the cards' titles in px; defaults to the size of the layout (V9-14)
 */
export function Grid({
  layout,
  perRow,
  few = false,
  titleSize,
  label,
  waiting = 0,
  children,
}: {
  layout: RailLayout
  perRow?: 1 | 2 | 3 | undefined
  /** Whether the grid has so few covers that they look lost on a large screen. The covers are then larger. */
  few?: boolean
  titleSize?: number | undefined
  /** Accessible name of the list, if no heading names the list. */
  label?: string | undefined
  /**
   * Number of cards that are still loading. Each has a placeholder, but there are never more placeholders than
   * fill a window.
   */
  waiting?: number
  children: ReactNode
}) {
  const count = Children.count(children)
  return (
    <ul
      className={`${styles.grid} ${styles[layout] ?? ''}`}
      style={{
        ...columnProperties(layout, perRow),
        ...(titleSize === undefined ? {} : titleProperties('--card-title', titleSize)),
      }}
      data-per-row={perRow}
      data-few={few || undefined}
      aria-label={label}
    >
      {Children.map(children, (child) => (
        // The key of a card identifies its cell for `useKeptFocus`.
        <li className={styles.cell} data-row={isValidElement(child) ? child.key : undefined}>
          {child}
        </li>
      ))}
      {/* The keys are positions in the grid, so that an arriving card replaces its placeholder, and nothing
          moves. */}
      {Array.from({ length: Math.min(waiting, MOST_KEPT) }, (_, index) => (
        <li key={`waiting ${count + index}`} className={styles.cell} aria-hidden="true">
          <CardSkeleton layout={layout} />
        </li>
      ))}
    </ul>
  )
}

function columnProperties(layout: RailLayout, perRow: 1 | 2 | 3 | undefined): CSSProperties {
  const columns = gridColumns(layout, perRow)
  return Object.fromEntries(
    STEPS.map((step) => [`--columns-${step}`, columns.findLast(({ from }) => from <= step)?.columns]),
  )
}
