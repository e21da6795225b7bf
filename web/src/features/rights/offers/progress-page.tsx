import type { ReactNode } from 'react'
import { Waves } from '../../../design/icons/waves.tsx'
import { MESSAGE } from '../../../design/page/message.ts'
import styles from './progress-page.module.css'

/**
 * A page with the state of a purchase: a heading, a sentence, and actions. Waves move while the purchase is in
 * progress.
 */
export function ProgressPage({
  state,
  isMoving,
  title,
  text,
  children,
}: {
  /**
   * When this value changes, the heading gets the focus, so that screen readers announce the new state like a new
   * page.
   */
  state: string
  isMoving: boolean
  title: string
  text: string
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
  // In a narrow window, the button that led here was further down, so the page scrolls to the top.
  window.scrollTo({ top: 0, behavior: 'instant' })
}
