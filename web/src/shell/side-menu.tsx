import { type ReactNode, useEffect, useRef } from 'react'
import type { Target } from '../features/ground/links/content-link.ts'
import { TargetLink } from '../features/ground/links/target-link.tsx'
import styles from './side-menu.module.css'
import { useScreen } from './use-screen.ts'

/** An entry of a {@link SideMenu}. */
export interface SideMenuEntry {
  name: string
  text: string
  target: Target
}

/** Related screens with a shared menu. The menu is beside the screen, or in narrow windows in a row above it. */
export function SideMenu({
  title,
  entries,
  children,
}: {
  title: string
  entries: readonly SideMenuEntry[]
  children: ReactNode
}) {
  const menu = useRef<HTMLElement>(null)
  const screen = useScreen()
  useEffect(() => {
    // In narrow windows the row of entries is wider than the window, so the current entry is scrolled into view.
    const active = menu.current?.querySelector('[aria-current]')
    if (screen !== undefined) active?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [screen])
  return (
    <div className={styles.screens}>
      <nav ref={menu} className={styles.menu} aria-label={title}>
        <ul>
          {entries.map(({ name, text, target }) => (
            <li key={name}>
              <TargetLink target={target} className={styles.entry}>
                {text}
              </TargetLink>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.screen}>{children}</div>
    </div>
  )
}
