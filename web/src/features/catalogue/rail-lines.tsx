import type { Rail } from '@ondine/contract/catalogue'
import type { ReactNode } from 'react'
import styles from './rail-lines.module.css'
import { railLines } from './rail-lines.ts'

/** The rails of a page; in a wide window short ones share a line. */
export function RailLines<Of extends Rail>({
  rails,
  children,
}: {
  rails: readonly Of[]
  children: (rail: Of) => ReactNode
}) {
  return railLines(rails).map((line) => (
    <div key={line[0]?.rail.id} className={styles.line}>
      {line.map(({ rail, width }) => (
        <div
          key={rail.id}
          className={styles.place}
          style={{ '--share': Math.max(width, 1) }}
          data-rail={rail.id}
        >
          {children(rail)}
        </div>
      ))}
    </div>
  ))
}
