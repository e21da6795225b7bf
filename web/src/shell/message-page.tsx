import type { ReactNode } from 'react'
import { ButtonLink } from '../design/buttons/button.tsx'
import { MESSAGE } from '../design/page/message.ts'
import styles from './message-page.module.css'

/** Opacities of the wave in the picture, and of its two echoes. */
const ECHOES = [1, 0.4, 0.15]

/** A page with one message and its actions: the most helpful action if there is one, and the link to home. */
export function MessagePage({
  title,
  text,
  back,
  action,
  also,
  forChild = false,
  children,
}: {
  title: string
  text: string
  back: string
  /** The most helpful action. */
  action?: ReactNode
  /** A further action, after the link to home. */
  also?: ReactNode
  /** Whether the page is for a child. Such a page has a friendly picture and larger buttons. */
  forChild?: boolean
  children?: ReactNode
}) {
  return (
    <div className={`${MESSAGE.page} ${styles.page}`} data-child={forChild || undefined}>
      <svg className={styles.wave} viewBox="0 0 240 60" aria-hidden="true" focusable="false">
        {ECHOES.map((opacity, index) => (
          <path
            key={opacity}
            opacity={opacity}
            d="M4 38c32-44 64-48 100-24s70 22 132-22"
            transform={`translate(0 ${index * 20})`}
          />
        ))}
      </svg>
      <h1 className={`${MESSAGE.title} ${styles.title}`}>{title}</h1>
      <p className={`${MESSAGE.text} ${styles.text}`}>{text}</p>
      {children}
      <div className={`${MESSAGE.actions} ${styles.actions}`}>
        {action}
        <ButtonLink look={action === undefined ? 'primary' : 'secondary'} to="/">
          {back}
        </ButtonLink>
        {also}
      </div>
    </div>
  )
}
