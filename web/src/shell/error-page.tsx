import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { Button } from '../design/button.tsx'
import styles from './error-page.module.css'
import { MessagePage } from './message-page.tsx'

const UNKNOWN = 500

/** What a page shows that could not be made: a text by its code or its own, the words "error code" and the code (V2.4-23). */
export function ErrorPage({ error }: { error: unknown }) {
  const { t, i18n } = useTranslation()
  const router = useRouter()
  const code = error instanceof ApiError ? Math.abs(error.code) : UNKNOWN
  const known = `errors.error${code}`
  const text = i18n.exists(known) ? t(known as 'errors.error503') : messageOf(error)
  return (
    <MessagePage title={t('errors.title')} text={text} back={t('errors.back')}>
      <p className={styles.code}>
        {t('errors.code')} {code}
      </p>
      <Button onPress={() => void router.invalidate()}>{t('errors.retry')}</Button>
    </MessagePage>
  )
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
