import type { ReactNode } from 'react'
import { MESSAGE } from '../../design/message.ts'
import { Waves } from '../../design/waves.tsx'
import styles from './progress-page.module.css'

/** How a purchase stands: waves while it is on its way, a heading, a sentence, and ways on. */
export function ProgressPage({
  state,
  isMoving,
  title,
  text,
  children,
}: {
  /** Each state is another page to who reads it: its heading takes the focus. */
  state: string
  isMoving: boolean
  title: string
  text: string
  /** The ways on. */
  children: ReactNode
}) {
  return (
    <div className={`${MESSAGE.page} ${styles.page}`}>
      {isMoving && <Waves />}
      <h1 key={state} ref={takeFocus} className={`${MESSAGE.title} ${styles.title}`} tabIndex={-1}>
        {title}
      </h1>
      <output className={MESSAGE.text}>{text}</output>
      <div className={`${MESSAGE.actions} ${styles.actions}`}>{children}</div>
    </div>
  )
}

function takeFocus(heading: HTMLHeadingElement | null): void {
  if (heading === null) return
  heading.focus({ preventScroll: true })
  // The button that led here stands further down in a narrow window.
  window.scrollTo({ top: 0, behavior: 'instant' })
}
