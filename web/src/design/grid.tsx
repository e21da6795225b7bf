import { Children, type CSSProperties, type ReactNode } from 'react'
import { CardSkeleton } from './card-skeleton.tsx'
import styles from './grid.module.css'
import { gridColumns, type RailLayout, titleProperties } from './layouts.ts'

/** The step of the style sheet for each width of {@link gridColumns}. */
const STEPS = [0, 600, 768, 1024, 1200, 1600, 2200, 3000] as const

/** Places kept for cards that are on their way: the end of the list is not in the window when they come. */
const MOST_KEPT = 21

/**
 * A wall of cards: 1 or 3 in a row of a narrow window, up to 8 covers or 7 others at the widest (V9-12).
 *
 * @param titleSize size of the cards' titles in px; by default that of the layout (V9-14)
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
  /** So few covers that they would be lost on a large screen: they stand larger there. */
  few?: boolean
  titleSize?: number | undefined
  /** What the list is called, where no heading says it. */
  label?: string | undefined
  /** How many more cards are expected: places are kept for as many as fill a window. */
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
        <li className={styles.cell}>{child}</li>
      ))}
      {/* By their places in the wall: the cards take these, and further ones are others. So nothing moves. */}
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
