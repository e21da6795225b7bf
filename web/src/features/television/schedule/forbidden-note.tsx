import type { Channel, Programme } from '@ondine/contract/entities'
import { useTranslation } from 'react-i18next'
import { forbiddenKey } from './forbidden-key.ts'
import styles from './start-over-button.module.css'

/**
 * Explains why a programme lacks buttons that other programmes of the channel have: the guide forbids going back,
 * or recording.
 */
export function ForbiddenNote({ programme, channel }: { programme: Programme; channel: Channel }) {
  const { t } = useTranslation()
  const key = forbiddenKey(programme, channel)
  return key === undefined ? null : <p className={styles.note}>{t(key)}</p>
}
