import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/buttons/button.tsx'
import { WarningIcon } from '../../../design/icons/icons.tsx'
import styles from './part-error.module.css'

/** The message in place of a part of a page that failed, with a button to try again. */
export function PartError({ name, onRetry }: { name: string; onRetry: () => void }) {
  const { t } = useTranslation()
  return (
    <section className={styles.part} aria-label={name}>
      <WarningIcon />
      <div className={styles.words}>
        {name !== '' && <h2 className={styles.name}>{name}</h2>}
        <p>{t('errors.part')}</p>
      </div>
      <Button onPress={onRetry}>{t('errors.retry')}</Button>
    </section>
  )
}
