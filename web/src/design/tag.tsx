import { LockIcon } from './icons.tsx'
import styles from './tag.module.css'
import { UNSEEN } from './unseen.ts'

/** What a card or a title says about itself at a glance. */
export interface TagContent {
  tone: 'live' | 'new' | 'leaving' | 'price' | 'lock' | 'preparing' | 'plain' | 'held'
  text: string
  /** What is read out in place of a text that is short for the eye. */
  label?: string
}

/** A tag. */
export function Tag({ tone, text, label }: TagContent) {
  return (
    <span className={`${styles.tag} ${styles[tone]}`}>
      {tone === 'live' && <span className={styles.dot} />}
      {tone === 'lock' ? <LockIcon /> : <span aria-hidden={label !== undefined}>{text}</span>}
      {(label !== undefined || tone === 'lock') && <span className={UNSEEN}>{label ?? text}</span>}
    </span>
  )
}
