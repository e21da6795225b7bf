import { LockIcon } from '../icons/icons.tsx'
import { UNSEEN } from '../page/unseen.ts'
import styles from './tag.module.css'

/** A short label on a card or a title. */
export interface TagContent {
  tone: 'live' | 'new' | 'leaving' | 'price' | 'lock' | 'preparing' | 'plain' | 'held'
  text: string
  /** Text for screen readers, used if `text` is abbreviated. */
  label?: string
}

export function Tag({ tone, text, label }: TagContent) {
  return (
    <span className={`${styles.tag} ${styles[tone]}`}>
      {tone === 'live' && <span className={styles.dot} />}
      {tone === 'lock' ? <LockIcon /> : <span aria-hidden={label !== undefined}>{text}</span>}
      {(label !== undefined || tone === 'lock') && <span className={UNSEEN}>{label ?? text}</span>}
    </span>
  )
}
