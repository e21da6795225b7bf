import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, NO_ANSWER } from '../api/api-error.ts'
import { Button } from '../design/buttons/button.tsx'
import { FaultBoundary } from '../design/page/fault-boundary.tsx'
import { useOnline } from '../features/content/downloads/use-online.ts'
import { describeError } from '../features/ground/errors/describe-error.ts'
import { dropUnseen } from '../features/ground/errors/drop-unseen.ts'
import { reportFault } from '../features/ground/errors/report-fault.ts'
import { BarePage } from './bare-page.tsx'
import styles from './error-page.module.css'
import { MessagePage } from './message-page.tsx'

/** The error page of a screen. If the error page itself fails, shows a bare page with a link to home (V2.4-24). */
export function ErrorPage({ error }: { error: unknown }) {
  return (
    <FaultBoundary renderFallback={() => <BarePage />} onFault={reportFault}>
      <ErrorMessage error={error} />
    </FaultBoundary>
  )
}

/**
 * The text of an error, its code, and its trace id for support (V2.4-23). Without a connection, shows a message
 * about the connection instead. The screen appears as soon as the connection returns (spec 7).
 */
function ErrorMessage({ error }: { error: unknown }) {
  const { t, i18n } = useTranslation()
  const router = useRouter()
  const queries = useQueryClient()
  const { title, text, code } = describeError(error, t, (key) => i18n.exists(key))
  const trace = error instanceof ApiError ? traceId(error.traceparent) : undefined
  const isAway = !useOnline() && error instanceof ApiError && error.code === NO_ANSWER
  useEffect(() => reportFault(error), [error])

  function retry(): void {
    // Drops cached data, because it may be the cause of the error. A retry would not fetch cached data again.
    dropUnseen(queries)
    void router.invalidate()
  }

  const wasAway = useRef(false)
  const retryOnline = useEffectEvent(retry)
  useEffect(() => {
    if (wasAway.current && !isAway) retryOnline()
    wasAway.current = isAway
  }, [isAway])

  return (
    <MessagePage
      title={isAway ? t('downloads.offlineTitle') : title}
      text={isAway ? t('errors.offline') : text}
      back={t('errors.back')}
      action={
        <Button look="primary" onPress={retry}>
          {t('errors.retry')}
        </Button>
      }
    >
      {!isAway && (
        <p className={styles.code}>
          {t('errors.code')} {code}
        </p>
      )}
      {!isAway && trace !== undefined && (
        <p className={styles.code}>
          {t('errors.trace')} <span translate="no">{trace}</span>
        </p>
      )}
    </MessagePage>
  )
}

/** Returns the trace id, which is the second part of a `traceparent` value. */
function traceId(traceparent: string): string | undefined {
  return traceparent.split('-')[1]
}
