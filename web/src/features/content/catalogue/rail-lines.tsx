import type { ReactNode } from 'react'
import styles from './rail-lines.module.css'
import { isShort, linesApart, type Measured, railLines } from './rail-lines.ts'

/** The rails of a page. Short rails share a line if there is room. */
export function RailLines<Of extends Measured & { id: string }>({
  rails,
  areApart = false,
  children,
}: {
  rails: readonly Of[]
  /** Whether each rail has its own line, because its cards are larger than usual. */
  areApart?: boolean
  /** Renders one rail. `isAlone` means the same as in `ContentRail`. */
  children: (rail: Of, isAlone: boolean) => ReactNode
}) {
  return (areApart ? linesApart : railLines)(rails).map(({ places, kind }) => (
    <div key={places[0]?.id} className={styles.line} data-line={kind} data-apart={areApart || undefined}>
      {places.map((rail) => (
        <div
          key={rail.id}
          className={styles.place}
          data-rail={rail.id}
          data-short={isShort(rail) || undefined}
        >
          {children(rail, kind === 'alone')}
        </div>
      ))}
    </div>
  ))
}
