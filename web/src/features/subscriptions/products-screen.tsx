import { readAmount } from '@ondine/contract/money'
import { checkOrderStatus, OFFER_VALIDITY, type UserOffer } from '@ondine/contract/orders'
import type { Subscription } from '@ondine/contract/subscriptions'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/call.ts'
import { Button, ButtonLink } from '../../design/button.tsx'
import { EmptyNote } from '../../design/empty-note.tsx'
import { StarIcon } from '../../design/screen-icons.tsx'
import { ScreenTitle } from '../../design/screen-title.tsx'
import { dateText } from '../../words/dates.ts'
import { moneyText } from '../../words/money.ts'
import { usePlace } from '../../words/place.tsx'
import { alertError } from '../errors/alert-error.ts'
import { QueryPart } from '../errors/query-part.tsx'
import { pathOf } from '../links/content-link.ts'
import { notify } from '../notices/notice.ts'
import { useShop } from '../offers/use-shop.ts'
import { cancelPlan, payPlan, resumePlan } from './change-subscription.ts'
import styles from './products-screen.module.css'
import { askProductsAnew, optionsQuery, subscriptionsQuery } from './queries.ts'

/**
 * The subscriptions and purchases of the account: what each does next, and when (A2.1-18).
 *
 * @param paidOrder the order that a payment page led back with
 * @param onPaid called once its outcome was said
 */
export function ProductsScreen({
  paidOrder,
  onPaid,
}: {
  paidOrder: number | undefined
  onPaid: () => Promise<void>
}) {
  const { t } = useTranslation()
  usePaidOrder(paidOrder, onPaid)
  return (
    <div className={styles.screen}>
      <div>
        <ScreenTitle>{t('products.title')}</ScreenTitle>
        <p className={styles.lead}>{t('products.lead')}</p>
      </div>
      <QueryPart
        name={t('products.subscriptions')}
        query={subscriptionsQuery}
        waiting={<div className={styles.waiting} aria-busy="true" />}
      >
        {(subscriptions) => <Subscriptions all={subscriptions} />}
      </QueryPart>
      <Purchases />
    </div>
  )
}

/** Says what became of a payment that led back here. */
function usePaidOrder(orderId: number | undefined, onPaid: () => Promise<void>): void {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const asked = useRef<number>(undefined)
  useEffect(() => {
    if (orderId === undefined || asked.current === orderId) return
    asked.current = orderId
    const say = async () => {
      const { orderStatus } = await call(checkOrderStatus, { orderId })
      await askProductsAnew(queries)
      if (orderStatus === 'executed') notify({ text: t('products.paid') })
      else if (orderStatus !== 'submitted') notify({ text: t('products.notPaid') })
      await onPaid()
    }
    say().catch(alertError)
  }, [orderId, onPaid, queries, t])
}

/** The plans that renew here, and those of a gift or of another service. */
function Subscriptions({ all }: { all: readonly Subscription[] }) {
  const { t } = useTranslation()
  const { data: options = [] } = useQuery(optionsQuery)
  const others = options.filter(
    ({ offerType, userValidityPending, idOption }) =>
      offerType === 'subscription' && !userValidityPending && !all.some((each) => each.idOption === idOption),
  )
  if (all.length + others.length === 0) return <NoSubscription />
  return (
    <ul className={styles.products} aria-label={t('products.subscriptions')}>
      {all.map((each) => (
        <SubscriptionRow key={each.id} subscription={each} />
      ))}
      {others.map((offer) => (
        <PurchaseRow key={`${offer.idOption} ${offer.userValidityFrom}`} offer={offer} heading="h2" />
      ))}
    </ul>
  )
}

function NoSubscription() {
  const { t } = useTranslation()
  const { shop } = useShop()
  return (
    <EmptyNote icon={<StarIcon />} text={t('products.none')}>
      {shop.kind !== 'closed' && <ButtonLink to={pathOf('offers')}>{t('products.toOffers')}</ButtonLink>}
    </EmptyNote>
  )
}

function SubscriptionRow({ subscription }: { subscription: Subscription }) {
  const { t } = useTranslation()
  const place = usePlace()
  const queries = useQueryClient()
  const heading = useId()
  const { title, statusId, next } = subscription
  const amount = useAmount(next.amount)
  const isCancelled = statusId === OFFER_VALIDITY.cancelled
  const isOwed = next.step === 'retries' || next.step === 'pays'
  return (
    <li className={styles.product} aria-labelledby={heading}>
      <div className={styles.words}>
        <h2 id={heading} className={styles.name}>
          {title}
        </h2>
        <p className={isOwed ? styles.owed : styles.next}>{useNextText(subscription)}</p>
        <p className={styles.card}>{useCardText(subscription)}</p>
      </div>
      <div className={styles.actions}>
        {isOwed && (
          <Button
            look="primary"
            aria-label={t('products.payLabel', { amount, title })}
            onPress={() => void payPlan(queries, subscription).catch(alertError)}
          >
            {t('products.pay', { amount })}
          </Button>
        )}
        {isCancelled ? (
          <Button
            look="primary"
            aria-label={t('products.resumeLabel', { title })}
            onPress={() => void resumePlan(queries, subscription).catch(alertError)}
          >
            {t('products.resume')}
          </Button>
        ) : (
          <Button
            aria-label={t('products.cancelLabel', { title })}
            aria-haspopup="dialog"
            onPress={() => void cancelPlan(queries, subscription, place).catch(alertError)}
          >
            {t('products.cancel')}
          </Button>
        )}
      </div>
    </li>
  )
}

/** What happens to a subscription next, and when. */
function useNextText({ next, statusId }: Subscription): string {
  const { t } = useTranslation()
  const date = dateText(next.at, usePlace())
  const amount = useAmount(next.amount)
  if (next.step !== 'ends') return t(`products.${next.step}`, { date, amount })
  return t(statusId === OFFER_VALIDITY.cancelled ? 'products.ends' : 'products.endsWithPlan', { date })
}

/** The card that pays. */
function useCardText({ method }: Subscription): string {
  const { t } = useTranslation()
  const place = usePlace()
  if (method === null) return t('products.noCard')
  const { brand: written, label, expiresAt } = method
  const brand = written.charAt(0).toUpperCase() + written.slice(1)
  return expiresAt === null
    ? t('products.card', { brand, label })
    : t('products.cardExpires', { brand, label, date: dateText(expiresAt, place) })
}

/** An amount as the reader's language writes it. */
function useAmount(amount: string): string {
  const { language } = usePlace()
  return moneyText(readAmount(amount) ?? 0, language)
}

/** What was bought once, and may be watched: nothing where there is none. */
function Purchases() {
  const { t } = useTranslation()
  const { data = [] } = useQuery(optionsQuery)
  const bought = data.filter(
    ({ offerType, userValidityPending }) => offerType !== 'subscription' && !userValidityPending,
  )
  if (bought.length === 0) return null
  return (
    <section className={styles.screen}>
      <h2 className={styles.section}>{t('products.purchases')}</h2>
      <ul className={styles.products} aria-label={t('products.purchases')}>
        {bought.map((offer) => (
          <PurchaseRow
            key={`${offer.idOption} ${offer.idAsset} ${offer.userValidityFrom}`}
            offer={offer}
            heading="h3"
          />
        ))}
      </ul>
    </section>
  )
}

function PurchaseRow({ offer, heading: Heading }: { offer: UserOffer; heading: 'h2' | 'h3' }) {
  const { t } = useTranslation()
  const place = usePlace()
  const { nameAsset, title, userValidityTo } = offer
  return (
    <li className={styles.product}>
      <div className={styles.words}>
        <Heading className={styles.name}>{nameAsset ?? title}</Heading>
        <p className={styles.card}>
          {userValidityTo === null
            ? t('products.always')
            : t('products.until', { date: dateText(userValidityTo, place) })}
        </p>
      </div>
    </li>
  )
}
