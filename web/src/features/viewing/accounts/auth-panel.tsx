import { type ReactNode, useEffect, useRef } from 'react'
import { Waves } from '../../../design/icons/waves.tsx'
import styles from './sign-in-screen.module.css'

/**
 * The panel of the sign-in screens, in front of the sea. If the title changes, the panel shows a result. Its heading
 * then gets the focus, because the element that had the focus is gone.
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
      {/* Because of the key, a new title makes a new panel, which appears with an animation. */}
      <div key={title} className={styles.panel}>
        <h1 ref={heading} tabIndex={-1} className={styles.title}>
          {title}
        </h1>
        {lead !== undefined && <p className={styles.lead}>{lead}</p>}
        {children}
      </div>
      {/* The waves come last, because the style sheet hides the panel until they have arrived. By then, the panel
          before them is complete. */}
      <Waves />
    </div>
  )
}
