import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './drawn-once.module.css'

/**
 * A part of a page that looks the same to all viewers with the same data. The server renders the part once for all
 * these viewers. The browser renders it on each page.
 *
 * @param from all data that the part shows, except data that every part can show: storefront, language,
 * configuration, path, quarter of an hour, and whether the viewer is signed in
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
