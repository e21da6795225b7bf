import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './drawn-once.module.css'

/**
 * A part of a page that is alike for all who are shown the same: the server draws it once for them, the browser always.
 *
 * @param from all that it shows, beside what is common to a page: its storefront, language, configuration, path, hour, and
 *   whether somebody is signed in
 */
export function DrawnOnce({ from, children }: { from: readonly unknown[]; children: ReactNode }) {
  const part = useRouter().options.context.parts?.drawn(from)
  if (part?.mark === undefined)
    return (
      <div className={styles.part} data-part={part?.name} suppressHydrationWarning>
        {children}
      </div>
    )
  return <div className={styles.part} data-part={part.name} dangerouslySetInnerHTML={{ __html: part.mark }} />
}
