import { OFFER_VALIDITY, type UserOffer } from '@ondine/contract/orders'
import type { Subscription } from '@ondine/contract/subscriptions'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, ButtonLink } from '../../../design/buttons/button.tsx'
import { ButtonGroup } from '../../../design/buttons/button-group.tsx'
import { StarIcon } from '../../../design/icons/screen-icons.tsx'
import { Row, RowList } from '../../../design/lists/row-list.tsx'
import { EmptyNote } from '../../../design/page/empty-note.tsx'
import { ScreenTitle } from '../../../design/page/screen-title.tsx'
import { SectionTitle } from '../../../design/page/section.tsx'
import { useHour } from '../../../design/time/use-hour.ts'
import { dateText, lastMonthText } from '../../../words/dates.ts'
import { amountText } from '../../../words/money.ts'
import { usePlace } from '../../../words/place.tsx'
import { whenText } from '../../ground/days/showing-when.ts'
import { alertError } from '../../ground/errors/alert-error.ts'
import { QueryPart } from '../../ground/errors/query-part.tsx'
import { pathOf } from '../../ground/links/content-link.ts'
import { useSession } from '../../ground/session/session.ts'
import { subscriptionsQuery } from '../offers/subscriptions-query.ts'
import { useShop } from '../offers/use-shop.ts'
import { useWebsiteHint } from '../offers/use-website-hint.ts'
import { PaymentMethodsPart } from '../payments/payment-methods-part.tsx'
import { ReceiptsPart } from '../receipts/receipts-part.tsx'
import { GiftButton } from '../vouchers/gift-button.tsx'
import {
  cancelPlan,
  keepPlan,
  needsCard,
  type PaymentReturn,
  payPlan,
  resumePlan,
  sayOutcome,
} from './change-subscription.ts'
import { plansFromElsewhere } from './elsewhere.ts'
import { ElsewhereRow } from './elsewhere-row.tsx'
import { giftsOf } from './gifts.ts'
import { PlanChanges } from './plan-changes.tsx'
import styles from './products-screen.module.css'
import { optionsQuery } from './queries.ts'

/**
 * The subscriptions and purchases of the account. Each row says what happens next, and when (A2.1-18).
 *
 * @param paidOrder the order whose payment page has sent the viewer back to this screen
 * @param onPaid called after the viewer has seen how that order ended
 */
export function ProductsScreen({
  paidOrder,
  onPaid,
}: {
  paidOrder: PaidOrder | undefined
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
      <QueryPart name={t('products.subscriptions')} query={subscriptionsQuery} waiting={<Waiting />}>
        {(subscriptions) => <Subscriptions all={subscriptions} />}
      </QueryPart>
      <Gifts />
      <Purchases />
      <PaymentMethodsPart />
      <ReceiptsPart />
    </div>
  )
}

function Waiting() {
  return <div className={styles.waiting} aria-busy="true" />
}

/** An order whose payment page has sent the viewer back. */
export interface PaidOrder extends PaymentReturn {
  id: number
}

/** Shows the viewer how a payment ended, after the payment page has sent the viewer back to this screen. */
function usePaidOrder(order: PaidOrder | undefined, onPaid: () => Promise<void>): void {
  const { id: orderId, hasLeft = false, savesCard = false } = order ?? {}
  const queries = useQueryClient()
  const asked = useRef<number>(undefined)
  useEffect(() => {
    if (orderId === undefined || asked.current === orderId) return
    asked.current = orderId
    const say = async () => {
      await sayOutcome(queries, orderId, { hasLeft, savesCard })
      await onPaid()
    }
    say().catch(alertError)
  }, [orderId, hasLeft, savesCard, onPaid, queries])
}

/** The plans that this service renews, and below them the plans from other shops. */
function Subscriptions({ all }: { all: readonly Subscription[] }) {
  const { t } = useTranslation()
  // Id of the subscription for which the screen shows other plans: at most one at a time.
  const [changing, setChanging] = useState<number>()
  const { data: options = [] } = useQuery(optionsQuery)
  const others = plansFromElsewhere(options)
  const title = t('products.subscriptions')
  if (all.length + others.length === 0) {
    return (
      <QueryPart name={title} query={optionsQuery} waiting={<Waiting />}>
        {() => <NoSubscription />}
      </QueryPart>
    )
  }
  return (
    <RowList label={title}>
      {all.map((each) => (
        <SubscriptionRow
          key={each.id}
          subscription={each}
          isChanging={each.id === changing && each.canChange}
          onChanging={(isChanging) => setChanging(isChanging ? each.id : undefined)}
        />
      ))}
      {others.map((offer) => (
        <ElsewhereRow key={`${offer.idOption} ${offer.userValidityFrom}`} offer={offer} />
      ))}
    </RowList>
  )
}

function NoSubscription() {
  const { t } = useTranslation()
  const { shop } = useShop()
  if (useGifts().length > 0) return null
  return (
    <EmptyNote icon={<StarIcon />} text={t('products.none')}>
      {shop.kind !== 'closed' && <ButtonLink to={pathOf('offers')}>{t('products.toOffers')}</ButtonLink>}
    </EmptyNote>
  )
}

function SubscriptionRow({
  subscription,
  isChanging,
  onChanging,
}: {
  subscription: Subscription
  isChanging: boolean
  onChanging: (isChanging: boolean) => void
}) {
  const { t } = useTranslation()
  const place = usePlace()
  const queries = useQueryClient()
  const heading = useId()
  const hint = useWebsiteHint()
  const { title, statusId, next, change, newPrice, canChange } = subscription
  const amount = useAmount(next.amount)
  const isCancelled = statusId === OFFER_VALIDITY.cancelled
  const isOwed = next.step === 'retries' || next.step === 'pays'
  const isCardMissing = needsCard(subscription)
  return (
    <li className={styles.product} aria-labelledby={heading}>
      <div className={styles.words}>
        <h2 id={heading} className={styles.name}>
          {title}
        </h2>
        <p className={isOwed ? styles.owed : styles.next}>{useNextText(subscription)}</p>
        {newPrice !== null && <NewPrice {...newPrice} />}
        <p className={styles.card}>{useCardText(subscription)}</p>
      </div>
      <ButtonGroup>
        {change !== null && (
          <Button
            aria-label={t('products.keepLabel', { title })}
            onPress={() => void keepPlan(queries, subscription).catch(alertError)}
          >
            {t('products.keep', { title })}
          </Button>
        )}
        {canChange && (
          <Button
            aria-label={t('products.changeLabel', { title })}
            {...(hint ? { 'aria-haspopup': 'dialog' } : { 'aria-expanded': isChanging })}
            onPress={hint ?? (() => onChanging(!isChanging))}
          >
            {t('products.change')}
          </Button>
        )}
        {isOwed && (
          <Button
            look="primary"
            aria-label={t('products.payLabel', { amount, title })}
            {...(hint && { 'aria-haspopup': 'dialog' })}
            onPress={hint ?? (() => void payPlan(queries, subscription).catch(alertError))}
          >
            {t('products.pay', { amount })}
          </Button>
        )}
        {isCancelled ? (
          <Button
            look="primary"
            aria-label={t('products.resumeLabel', { title })}
            {...(isCardMissing && { 'aria-haspopup': 'dialog' })}
            onPress={
              (isCardMissing ? hint : undefined) ??
              (() => void resumePlan(queries, subscription, place).catch(alertError))
            }
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
      </ButtonGroup>
      {isChanging && <PlanChanges subscription={subscription} onDone={() => onChanging(false)} />}
    </li>
  )
}

/** Returns a text that says what happens to a subscription next, and when. */
function useNextText({ next, statusId, change, method }: Subscription): string {
  const { t } = useTranslation()
  const date = dateText(next.at, usePlace())
  const amount = useAmount(next.amount)
  if (change !== null && next.step !== 'ends')
    return t('products.changes', { title: change.title, date, amount })
  if (next.step !== 'ends') return t(`products.${next.step}`, { date, amount })
  if (statusId === OFFER_VALIDITY.cancelled) return t('products.ends', { date })
  return t(method === null ? 'products.endsWithoutCard' : 'products.endsWithPlan', { date })
}

/** The announced new price of a subscription, with the date of the first charge at that price. */
function NewPrice({ at, amount }: NonNullable<Subscription['newPrice']>) {
  const { t } = useTranslation()
  const date = dateText(at, usePlace())
  return <p className={styles.next}>{t('products.newPrice', { date, amount: useAmount(amount) })}</p>
}

/** Returns the text about the card that will be charged. */
function useCardText({ method }: Subscription): string {
  const { t } = useTranslation()
  if (method === null) return t('products.noCard')
  const { brand: written, label, expiresAt } = method
  const brand = written.charAt(0).toUpperCase() + written.slice(1)
  return expiresAt === null
    ? t('products.card', { brand, label })
    : t('products.cardExpires', { brand, label, month: lastMonthText(expiresAt) })
}

/** Formats an amount in the page's language. */
function useAmount(amount: string): string {
  const { language } = usePlace()
  return amountText(amount, language)
}

/** Returns the account's gifted plans. */
function useGifts(): UserOffer[] {
  const { data: options = [] } = useQuery(optionsQuery)
  return giftsOf(options)
}

/**
 * The account's gifts, and a button to enter a gift code. A suspended account cannot redeem a gift, so it has no
 * button.
 */
function Gifts() {
  const { t } = useTranslation('gift')
  const place = usePlace()
  const gifts = useGifts()
  const isSuspended = useSession().account?.status === 'SUSPENDED'
  const hint = useWebsiteHint()
  if (gifts.length === 0 && isSuspended) return null
  return (
    <section className={styles.screen} aria-labelledby="gifts">
      <SectionTitle id="gifts">{t(gifts.length === 0 ? 'heading' : 'list')}</SectionTitle>
      {gifts.length === 0 ? (
        <p className={styles.next}>{t('lead')}</p>
      ) : (
        <RowList label={t('list')}>
          {gifts.map(({ idOption, title, userValidityFrom, userValidityTo }) => (
            <Row
              key={`${idOption} ${userValidityFrom}`}
              title={title}
              notes={[
                t('until', {
                  from: dateText(userValidityFrom ?? 0, place),
                  to: dateText(userValidityTo ?? 0, place),
                }),
              ]}
            />
          ))}
        </RowList>
      )}
      {!isSuspended && (
        <ButtonGroup>
          {hint ? (
            <Button aria-haspopup="dialog" onPress={hint}>
              {t('enter')}
            </Button>
          ) : (
            <GiftButton />
          )}
        </ButtonGroup>
      )}
    </section>
  )
}

/** The single purchases that the account may still watch. Renders nothing without purchases. */
function Purchases() {
  const { t } = useTranslation()
  const { data = [] } = useQuery(optionsQuery)
  const bought = data.filter(
    ({ offerType, userValidityPending }) => offerType !== 'subscription' && !userValidityPending,
  )
  if (bought.length === 0) return null
  const title = t('products.purchases', { count: bought.length })
  return (
    <section className={styles.screen}>
      <SectionTitle>{title}</SectionTitle>
      <RowList label={title}>
        {bought.map((offer) => (
          <PurchaseRow key={`${offer.idOption} ${offer.idAsset} ${offer.userValidityFrom}`} offer={offer} />
        ))}
      </RowList>
    </section>
  )
}

function PurchaseRow({ offer }: { offer: UserOffer }) {
  const { t } = useTranslation()
  const place = usePlace()
  const now = useHour()
  const { nameAsset, title, userValidityTo, startAsset, endAsset } = offer
  return (
    <li className={styles.product}>
      <div className={styles.words}>
        <h3 className={styles.name}>{nameAsset ?? title}</h3>
        <p className={styles.card}>
          {startAsset !== null && endAsset !== null
            ? whenText(startAsset, endAsset, now, place, t)
            : userValidityTo === null
              ? t('products.always')
              : t('products.until', { date: dateText(userValidityTo, place) })}
        </p>
      </div>
    </li>
  )
}
