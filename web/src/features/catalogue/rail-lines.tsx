import type { ReactNode } from 'react'
import styles from './rail-lines.module.css'
import { isShort, type Measured, railLines } from './rail-lines.ts'

/** The rails of a page; in a wide window short ones share a line. */
export function RailLines<Of extends Measured & { id: string }>({
  rails,
  children,
}: {
  rails: readonly Of[]
  /** Draws a rail; `isInLine` as of `ContentRail`. */
  children: (rail: Of, isInLine: boolean) => ReactNode
}) {
  return railLines(rails).map(({ places, kind }) => (
    <div key={places[0]?.rail.id} className={styles.line} data-line={kind}>
      {places.map(({ rail, width }) => (
        <div
          key={rail.id}
          className={styles.place}
          style={{ '--share': Math.max(width, 1) }}
          data-rail={rail.id}
          data-short={isShort(rail) || undefined}
        >
          {children(rail, kind !== 'beside')}
        </div>
      ))}
    </div>
  ))
}
