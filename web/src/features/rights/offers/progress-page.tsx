import type { ReactNode } from 'react'
import { Waves } from '../../../design/icons/waves.tsx'
import { MESSAGE } from '../../../design/page/message.ts'
import styles from './progress-page.module.css'

/** The state of a purchase: waves while it is in progress, a heading, a sentence, and actions. */
export function ProgressPage({
  state,
  isMoving,
  title,
  text,
  children,
}: {
  /** To screen readers, each state is a new page, so its heading gets the focus. */
  state: string
  isMoving: boolean
  title: string
  text: string
  /** The actions. */
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
  // Scrolls to the top, because in a narrow window the button that led here is further down.
  window.scrollTo({ top: 0, behavior: 'instant' })
}
