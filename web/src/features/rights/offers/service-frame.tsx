import { CHECKOUT_MESSAGES, type SubscriptionSession } from '@ondine/contract/subscription-service'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePlace } from '../../../words/place.tsx'
import styles from './service-checkout.module.css'

/** Time limit for the service's page to report that it is ready, in milliseconds. */
const PATIENCE_MS = 20_000

/**
 * Permissions of the service's page in its frame. `allow-same-origin` gives the page its own origin, because the
 * payment needs the storage of that origin. The page never has the origin of this site. The page is allowed to open
 * popups, because a bank can ask for a confirmation in a popup.
 */
const SANDBOX = 'allow-scripts allow-forms allow-same-origin allow-popups allow-popups-to-escape-sandbox'

/**
 * The payment page of the subscription service, in a frame. When the page reports that it is ready, it gets the
 * checkout session, which contains secrets. No page of another origin gets the checkout session.
 */
export function ServiceFrame({
  session,
  onFinished,
  onFailed,
}: {
  session: SubscriptionSession
  onFinished: () => void
  onFailed: () => void
}) {
  const { t } = useTranslation('checkout')
  const { language } = usePlace()
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)
  const { checkoutUrl } = session

  const hear = useEffectEvent(({ source, origin, data }: MessageEvent<unknown>) => {
    const page = frame.current?.contentWindow
    if (page == null || source !== page || origin !== new URL(checkoutUrl).origin) return
    switch (typeOf(data)) {
      case CHECKOUT_MESSAGES.ready: {
        const { jwt, refreshToken, customerId, publisherId, offerId } = session
        const handed = { jwt, refreshToken, customerId, publisherId, offerId, language }
        page.postMessage({ type: CHECKOUT_MESSAGES.session, ...handed }, origin)
        setReady(true)
        return
      }
      case CHECKOUT_MESSAGES.finished:
        onFinished()
        return
      case CHECKOUT_MESSAGES.failed:
        onFailed()
    }
  })
  useEffect(() => {
    const listen = (event: MessageEvent<unknown>) => hear(event)
    window.addEventListener('message', listen)
    return () => window.removeEventListener('message', listen)
  }, [])

  const fail = useEffectEvent(onFailed)
  useEffect(() => {
    if (isReady) return undefined
    const timer = setTimeout(() => fail(), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [isReady])

  return (
    <div className={styles.stage} aria-busy={!isReady}>
      {!isReady && <output className={styles.waiting}>{t('waiting')}</output>}
      <iframe
        ref={frame}
        className={styles.frame}
        data-ready={isReady || undefined}
        title={t('frame')}
        src={checkoutUrl}
        sandbox={SANDBOX}
        allow="payment"
        referrerPolicy="origin"
      />
    </div>
  )
}

function typeOf(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'type' in data ? data.type : undefined
}
