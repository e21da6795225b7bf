import { refreshSubscriptions, subscriptionSession } from '@ondine/contract/subscription-service'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useHydrated } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { CODES } from '../../../api/codes.ts'
import { Button, ButtonLink } from '../../../design/buttons/button.tsx'
import { ButtonGroup } from '../../../design/buttons/button-group.tsx'
import { WarningIcon } from '../../../design/icons/icons.tsx'
import { EmptyNote } from '../../../design/page/empty-note.tsx'
import { modal } from '../../../modals/modal.ts'
import { alertError } from '../../ground/errors/alert-error.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { askUnlockedAnew } from '../orders/ask-unlocked-anew.ts'
import { findPurchase } from './find-purchase.ts'
import { OffersLink } from './offers-link.tsx'
import { ProgressPage } from './progress-page.tsx'
import styles from './service-checkout.module.css'
import { ServiceFrame } from './service-frame.tsx'

/**
 * The stage of the checkout. `open`: the service's page is shown. `failed`: that page failed. `checking`: the
 * screen looks for the purchase. `done`: the purchase has arrived. `late`: the purchase has not arrived in time.
 */
type Stage = 'open' | 'failed' | 'checking' | 'done' | 'late'

/** The purchase of an offer at the subscription service (A2.1-24). */
export function ServiceCheckout({ offerId }: { offerId: number }) {
  const { t } = useTranslation('checkout')
  const queries = useQueryClient()
  const isAlive = useHydrated()
  const [stage, setStage] = useState<Stage>('open')
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: [subscriptionSession.name, offerId] as const,
    queryFn: async () => await call(subscriptionSession, { offerId }),
    enabled: isAlive && stage === 'open',
    // Each opening of the screen requests a new checkout session. Such a session is secret, so it is removed from the
    // cache when the viewer leaves the screen.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })

  // A8.3-13 requires an alert when the page of the service fails.
  const alertFrame = useEffectEvent(async () => {
    await modal.open('alert', { title: t('errorTitle'), description: t('error') })
  })
  useEffect(() => {
    if (error !== null) void (isSilence(error) ? alertFrame() : alertError(error))
  }, [error])
  useEffect(() => {
    if (stage === 'failed') void alertFrame()
  }, [stage])

  function again(): void {
    setStage('open')
    void refetch()
  }
  async function look(): Promise<void> {
    setStage('checking')
    try {
      const isThere = await findPurchase(
        async () => (await call(refreshSubscriptions, {})).optionIds.includes(offerId),
        async (milliseconds) => await new Promise((resolve) => setTimeout(resolve, milliseconds)),
      )
      if (isThere) await askUnlockedAnew(queries)
      setStage(isThere ? 'done' : 'late')
    } catch (fault) {
      setStage('late')
      await alertError(fault)
    }
  }

  if (stage === 'checking' || stage === 'done' || stage === 'late') return <Purchase stage={stage} />
  const isFailed = stage === 'failed' || (error !== null && !isFetching)
  return (
    <div className={styles.screen}>
      <h1 className={styles.title}>{t('title')}</h1>
      {isFailed ? (
        <EmptyNote
          icon={<WarningIcon />}
          text={t(stage === 'failed' || isSilence(error) ? 'error' : 'refused')}
        >
          <ButtonGroup isCentred>
            <Button onPress={again}>{t('again')}</Button>
            <OffersLink>{t('toOffers')}</OffersLink>
          </ButtonGroup>
        </EmptyNote>
      ) : data === undefined ? (
        <div className={styles.stage} aria-busy="true">
          <output className={styles.waiting}>{t('waiting')}</output>
        </div>
      ) : (
        <ServiceFrame session={data} onFinished={() => void look()} onFailed={() => setStage('failed')} />
      )}
    </div>
  )
}

function isSilence(error: unknown): boolean {
  return error instanceof ApiError && error.code === CODES.subscriptionServiceSilent
}

const TITLES = { checking: 'checkingTitle', done: 'doneTitle', late: 'lateTitle' } as const

function Purchase({ stage }: { stage: keyof typeof TITLES }) {
  const { t } = useTranslation('checkout')
  return (
    <ProgressPage state={stage} isMoving={stage === 'checking'} title={t(TITLES[stage])} text={t(stage)}>
      {stage !== 'checking' && (
        <ButtonLink look="primary" to={pathOf('home')}>
          {t('home')}
        </ButtonLink>
      )}
      {stage === 'late' && <ButtonLink to={pathOf('account-products')}>{t('products')}</ButtonLink>}
    </ProgressPage>
  )
}
