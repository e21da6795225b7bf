import { type ReactNode, useEffect, useRef } from 'react'
import { Waves } from '../../../design/icons/waves.tsx'
import styles from './sign-in-screen.module.css'

/**
 * The panel of the sign-in screens, in front of the sea. A new title means that the panel shows a result. The
 * heading then gets the focus, because the focused element was removed.
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
      {/* The key makes a new panel for each title, which appears with an animation. */}
      <div key={title} className={styles.panel}>
        <h1 ref={heading} tabIndex={-1} className={styles.title}>
          {title}
        </h1>
        {lead !== undefined && <p className={styles.lead}>{lead}</p>}
        {children}
      </div>
      {/* The style sheet hides the panel until the waves have arrived. They are last in the document, so that
          the panel before them is complete by then. */}
      <Waves />
    </div>
  )
}
