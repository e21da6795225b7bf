import type { PaymentMethod, UserOffer } from '@ondine/contract/orders'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../api/api-error.ts'
import { CODES } from '../../../api/codes.ts'
import { Button } from '../../../design/buttons/button.tsx'
import { PRICE_PANEL } from '../../../design/cards/price-panel.ts'
import { StruckPrice } from '../../../design/cards/struck-price.tsx'
import { Tag } from '../../../design/cards/tag.tsx'
import { focusInvalid } from '../../../design/fields/focus-invalid.ts'
import { Picture } from '../../../design/pictures/picture.tsx'
import { useHour } from '../../../design/time/use-hour.ts'
import { modal } from '../../../modals/modal.ts'
import { dateText } from '../../../words/dates.ts'
import { amountText, moneyText } from '../../../words/money.ts'
import { usePlace } from '../../../words/place.tsx'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { alertError } from '../../ground/errors/alert-error.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { CartVoucher } from '../vouchers/cart-voucher.tsx'
import { INVALID_VOUCHER, USED_VOUCHER } from '../vouchers/try-voucher.ts'
import { cartAmounts } from '../vouchers/voucher-amounts.ts'
import { type Cart, heldOffers, submitCart } from './cart.ts'
import styles from './cart-screen.module.css'
import type { BegunPayment } from './cart-screen.tsx'
import { perText, specialText, viewingTimeText } from './offer-texts.ts'
import { PaymentMethods } from './payment-methods.tsx'
import { openPaymentWindow, type PaymentWindow } from './payment-window.ts'
import { usualAtFirst } from './plans.ts'
import { PendingPurchase } from './store-pending.ts'
import { type StoreProduct, storeProduct } from './store-product.ts'
import { type TrialCharge, trialCharge } from './trial-charge.ts'
import { WaiverField } from './waiver-field.tsx'

/** The error code of an offer that is no longer on sale. The service has removed it from the cart. */
const NOT_ON_SALE = -1605

/** Error codes of a payment after which the same offers cost another amount, or the voucher is no longer valid. */
const CHANGED: ReadonlySet<number> = new Set([CODES.conflict, INVALID_VOUCHER, USED_VOUCHER])

/** The content of the cart, the amounts, the payment method, and the pay button. */
export function Checkout({
  cart,
  onBegun,
  onVoucher,
  onWithdrawn,
  children,
}: {
  cart: Cart
  onBegun: (payment: BegunPayment) => void
  /** Fetches the cart again with a voucher's code. `undefined` removes the voucher. */
  onVoucher: (code: string | undefined) => void
  /** Called with the offers that are left after others were withdrawn from sale. */
  onWithdrawn: (offerIds: number[]) => void
  /** The options that can be added. */
  children: ReactNode
}) {
  const { t } = useTranslation('cart')
  const { language } = usePlace()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { consumerRules, isCardAskedForTrial } = useConfiguration().offers
  const { isAmountOnButton, isRenewalShown, isWaiverAsked } = consumerRules
  const { lines, methods, content } = cart
  const { full, discount, due: cents } = cartAmounts(lines, cart.voucher?.promotions ?? [])
  const price = moneyText(cents, language)
  const trial = trialCharge(lines, cents)
  // The device's store has its own payment dialog, so its products need no payment method here.
  const product = storeProduct(lines)
  const isMethodShown = product === undefined && (cents > 0 || trial !== undefined)
  const isOptional = trial !== undefined && !isCardAskedForTrial
  const [chosen, setChosen] = useState<PaymentMethod>()
  const method = isMethodShown ? (chosen ?? (isOptional ? undefined : methods[0])) : undefined
  const isMethodMissing = isMethodShown && method === undefined && !isOptional
  const [isWaived, setWaived] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const summary = useRef<HTMLElement>(null)

  async function ask(opened: PaymentWindow | null | undefined): Promise<void> {
    setAsking(true)
    try {
      const asked = await submitCart(cart, method)
      if (asked?.action == null) opened?.close()
      else opened?.location.replace(asked.action)
      if (asked !== null) onBegun({ asked, opened: asked.action === null ? undefined : opened })
    } catch (error) {
      opened?.close()
      const code = error instanceof ApiError ? error.code : undefined
      // A conflict means that the price or the contents have changed. The viewer sees the new cart before any payment.
      if (code === CODES.conflict)
        await modal.open('alert', { title: t('changedTitle'), description: t('changed') })
      else if (code === NOT_ON_SALE) await dropWithdrawn().catch(alertError)
      else await alertError(error)
      // Fetches the cart again, because it has changed, or because another account has used up the voucher.
      if (CHANGED.has(code ?? 0)) onVoucher(cart.voucher?.code)
    } finally {
      setAsking(false)
    }
  }

  /** Tells the viewer which offers have left the cart, and continues with the others. */
  async function dropWithdrawn(): Promise<void> {
    const held = await heldOffers(cart)
    const titles = lines
      .filter(({ idOption }) => !held.includes(idOption))
      .map(({ nameAsset, title }) => nameAsset ?? title)
      .join(', ')
    await modal.open('alert', { title: t('changedTitle'), description: t('withdrawn', { titles }) })
    onWithdrawn(held)
  }

  async function buy(product: StoreProduct): Promise<void> {
    setAsking(true)
    try {
      const { buyInStore } = await import('./buy-in-store.ts')
      if (!(await buyInStore(queries, product, content, cart.parentalProof))) return
      await navigate({ to: pathOf(content === undefined ? 'account-products' : 'library-rentals') })
    } catch (error) {
      if (error instanceof PendingPurchase)
        await modal.open('alert', { title: t('pendingTitle'), description: t('pending') })
      else await alertError(error)
    } finally {
      setAsking(false)
    }
  }

  function pay(): void {
    if (isAsking) return
    if (isWaiverAsked && !isWaived) {
      focusInvalid(summary.current, () => setMissing(true))
      return
    }
    setMissing(false)
    if (product !== undefined) {
      void buy(product)
      return
    }
    // Browsers block a window that is opened outside of the press handler.
    void ask(method?.paymentMethod === 'new' ? openPaymentWindow() : undefined)
  }

  return (
    <div className={styles.cart}>
      <div className={styles.parts}>
        <ul className={styles.lines}>
          {lines.map((line) => (
            <CartLine key={line.idOption} line={line} />
          ))}
        </ul>
        {children}
        {isMethodShown && (
          <section className={styles.part} aria-labelledby="method">
            <h2 id="method" className={styles.heading}>
              {t('method')}
            </h2>
            {isMethodMissing ? (
              <p role="alert">{t('noMethod')}</p>
            ) : (
              <PaymentMethods methods={methods} value={method} onChange={setChosen} isOptional={isOptional} />
            )}
          </section>
        )}
      </div>
      <section ref={summary} className={`${PRICE_PANEL} ${styles.summary}`} aria-label={t('summary')}>
        {discount > 0 && (
          <p className={styles.due}>
            <span>{t('full')}</span>
            <span>{moneyText(full, language)}</span>
          </p>
        )}
        <CartVoucher cart={cart} discountCents={discount} onChange={onVoucher} />
        {/* Announced when a voucher or an option changes the amount. */}
        <output className={styles.due}>
          <span>{t('dueNow')}</span>
          <strong className={styles.total}>{price}</strong>
        </output>
        {/* Without a card, the subscription ends with its first period. */}
        {isRenewalShown && (product !== undefined || cents > 0 || method !== undefined) && (
          <Renewals lines={lines} />
        )}
        {isWaiverAsked && (
          <WaiverField isWaived={isWaived} isMissing={isMissing && !isWaived} onChange={setWaived} />
        )}
        {trial !== undefined && !isMethodMissing && (
          <TrialNote trial={trial} hasCard={method !== undefined} />
        )}
        <Button look="primary" isDisabled={isMethodMissing} onPress={pay}>
          {isAsking
            ? t('asking')
            : cents > 0
              ? t(isAmountOnButton ? 'pay' : 'payPlain', { price })
              : t(lines.some(({ cartTrialDays }) => cartTrialDays > 0) ? 'start' : 'free')}
        </Button>
      </section>
    </div>
  )
}

/**
 * Tells the viewer the amount that the card is charged at the end of the trial, or without a card, that nothing is
 * charged.
 */
function TrialNote({ trial: { cents, at }, hasCard }: { trial: TrialCharge; hasCard: boolean }) {
  const { t } = useTranslation('cart')
  const place = usePlace()
  const texts = { price: moneyText(cents, place.language), date: dateText(at, place) }
  return <p className={styles.note}>{t(hasCard ? 'trial' : 'trialWithoutCard', texts)}</p>
}

function CartLine({ line }: { line: UserOffer }) {
  const { t } = useTranslation()
  const place = usePlace()
  const now = useHour()
  const { offers } = useConfiguration()
  const { title, nameAsset, description, backgroundImageAsset, cartPrice } = line
  const usual = usualAtFirst(line)
  const per = perText(line, t)
  const text =
    viewingTimeText(line, { limitHours: offers.rentalDisplayLimitHours, now, place }, t) ?? description
  return (
    <li className={styles.line}>
      {backgroundImageAsset !== null && (
        <span className={styles.picture}>
          <Picture image={backgroundImageAsset} sizes="160px" />
        </span>
      )}
      <span className={styles.words}>
        {line.discount.active && (
          <span className={styles.tag}>
            <Tag tone="new" text={specialText(line, t)} />
          </span>
        )}
        <strong className={styles.name} dir="auto">
          {nameAsset ?? title}
        </strong>
        {nameAsset !== null && <span className={styles.kind}>{title}</span>}
        {text !== '' && <span className={styles.kind}>{text}</span>}
      </span>
      {cartPrice !== null && (
        <span className={styles.price}>
          {usual !== undefined && (
            <StruckPrice amount={moneyText(usual, place.language)} label={t('offers.usual')} />
          )}{' '}
          {amountText(cartPrice, place.language)}
          {line.cartTrialDays === 0 && per !== undefined && <span className={styles.per}> {per}</span>}
        </span>
      )}
    </li>
  )
}

/** The renewals of the subscriptions in the cart, with their dates and prices. */
function Renewals({ lines }: { lines: readonly UserOffer[] }) {
  const { t } = useTranslation()
  const place = usePlace()
  const renewing = lines.filter(({ cartRenewals }) => cartRenewals.length > 0)
  if (renewing.length === 0) return null
  return (
    <div className={styles.renewals}>
      {renewing.map((line) => (
        <div key={line.idOption}>
          {lines.length > 1 && <p className={styles.name}>{line.title}</p>}
          {line.cartRenewals.map(({ priceWithVat, at }) => (
            <p key={at}>
              {t('cart.renewal', {
                date: dateText(at, place),
                price: amountText(priceWithVat, place.language),
                per: perText(line, t) ?? '',
              })}
            </p>
          ))}
        </div>
      ))}
      <p>{t('cart.renews')}</p>
    </div>
  )
}
