import type { AnnouncedDetails } from '@ondine/contract/channels'
import { useTranslation } from 'react-i18next'
import { flagsOf } from './announced.ts'
import styles from './flags.module.css'

/** The labels of a showing: live, new, audio described, subtitled. */
export function Flags({ announced }: { announced: AnnouncedDetails }) {
  const { t } = useTranslation()
  const flags = flagsOf(announced, t)
  if (flags.length === 0) return null
  return (
    <ul className={styles.flags} aria-label={t('programme.flags')}>
      {flags.map((flag) => (
        <li key={flag} className={styles.flag}>
          {flag}
        </li>
      ))}
    </ul>
  )
}
