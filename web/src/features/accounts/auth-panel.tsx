import { type ReactNode, useEffect, useRef } from 'react'
import { Waves } from '../../design/waves.tsx'
import styles from './sign-in-screen.module.css'

/**
 * Where one signs in and what belongs to it: a panel in front of the sea. With another title it is what came of the panel
 * before: it takes the focus, which was on something that is gone.
 */
export function AuthPanel({
  title,
  lead,
  children,
}: {
  title: string
  lead?: string | undefined
  children?: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(title)
  useEffect(() => {
    if (shown.current !== title) heading.current?.focus()
    shown.current = title
  }, [title])
  return (
    <div className={styles.screen}>
      {/* A panel of its own for each title, not the one before that moves. */}
      <div key={title} className={styles.panel}>
        <h1 ref={heading} tabIndex={-1} className={styles.title}>
          {title}
        </h1>
        {lead !== undefined && <p className={styles.lead}>{lead}</p>}
        {children}
      </div>
      {/* Behind the panel, and after it: once it has come, so has the whole panel. */}
      <Waves />
    </div>
  )
}
