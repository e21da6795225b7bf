import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useHydrated, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/buttons/button.tsx'
import { ButtonGroup } from '../../../design/buttons/button-group.tsx'
import { PRICE_SCREEN, PRICE_TITLE } from '../../../design/cards/price-panel.ts'
import { WarningIcon } from '../../../design/icons/icons.tsx'
import { BasketIcon } from '../../../design/icons/screen-icons.tsx'
import { EmptyNote } from '../../../design/page/empty-note.tsx'
import { alertError } from '../../ground/errors/alert-error.ts'
import { type AskedPayment, type Cart, cartQuery } from './cart.ts'
import { CartOptions } from './cart-options.tsx'
import styles from './cart-screen.module.css'
import { Checkout } from './checkout.tsx'
import type { Wish } from './offer-paths.ts'
import { OffersLink } from './offers-link.tsx'
import { PaymentProgress } from './payment-progress.tsx'
import type { PaymentWindow } from './payment-window.ts'

/** A started payment. */
export interface BegunPayment {
  asked: AskedPayment
  /** The window of the payment page; null when the browser blocked it, undefined unless a new card pays. */
  opened: PaymentWindow | null | undefined
}

/**
 * The cart and its payment (A2.1-23). The last step of a registration shows this screen as its summary (A2.1-09).
 */
export function CartScreen({
  wish,
  title,
  onWish,
  onExecuted,
  empty,
  children,
}: {
  wish: Wish
  /** The title of the screen; by default the title of the cart. */
  title?: string
  /** Called with the offers that the cart should contain. By default, they are written into the address. */
  onWish?: (offerIds: number[]) => void
  /** Called after a payment. By default, the confirmation screen of the shop opens. */
  onExecuted?: (orderId: number) => void
  /** Shown in place of an empty cart. By default, a note. */
  empty?: ReactNode
  /** Further actions, below the cart. */
  children?: ReactNode
}) {
  const { t } = useTranslation('cart')
  const queries = useQueryClient()
  const [code, setCode] = useState<string>()
  const { data, error, refetch, isFetching } = useQuery({
    ...cartQuery(queries, wish, code),
    // The server does not fetch the cart, because the query changes the cart's content.
    enabled: useHydrated(),
    // The previous cart stays visible until the changed cart has arrived.
    placeholderData: (previous) => previous,
  })
  const [payment, setPayment] = useState<BegunPayment>()
  useEffect(() => {
    if (error !== null) void alertError(error)
  }, [error])
  if (payment !== undefined) {
    return (
      <PaymentProgress
        payment={payment}
        content={data?.content}
        onExecuted={onExecuted}
        onBack={() => {
          setPayment(undefined)
          void refetch()
        }}
      />
    )
  }
  if (data?.lines.length === 0 && empty !== undefined) return empty
  return (
    <div className={PRICE_SCREEN}>
      <h1 className={PRICE_TITLE}>{title ?? t('title')}</h1>
      {data === undefined && (error === null || isFetching) ? (
        <div className={styles.waiting} aria-busy="true">
          {t('waiting')}
        </div>
      ) : data == null ? (
        <EmptyNote icon={<WarningIcon />} text={t('refused')}>
          <ButtonGroup isCentred>
            <Button onPress={() => void refetch()}>{t('again')}</Button>
            <OffersLink>{t('toOffers')}</OffersLink>
          </ButtonGroup>
        </EmptyNote>
      ) : data.lines.length === 0 ? (
        <EmptyNote icon={<BasketIcon />} text={t('empty')}>
          <OffersLink look="primary">{t('toOffers')}</OffersLink>
        </EmptyNote>
      ) : (
        <FullCart
          cart={data}
          wish={wish}
          onWish={onWish}
          onBegun={setPayment}
          onVoucher={(given) => {
            setCode(given)
            // With the same code, the query does not run again by itself. The cart may have changed, so the code
            // is validated again.
            if (given === code) void refetch()
          }}
        />
      )}
      {children}
    </div>
  )
}

function FullCart({
  cart,
  wish,
  onWish,
  onBegun,
  onVoucher,
}: {
  cart: Cart
  wish: Wish
  onWish: ((offerIds: number[]) => void) | undefined
  onBegun: (payment: BegunPayment) => void
  /** Fetches the cart again with a voucher's code. `undefined` removes the voucher. */
  onVoucher: (code: string | undefined) => void
}) {
  const navigate = useNavigate()
  const toAddress = (offerIds: number[]) =>
    void navigate({ to: '.', search: { offerId: offerIds }, replace: true, resetScroll: false })
  const [wanted, setWanted] = useState<{ of: Cart; offerIds: number[] }>()
  // While the changed cart is fetched, the previous one is shown, and a further change adds to the last one.
  const held = wanted?.of === cart ? wanted.offerIds : cart.lines.map(({ idOption }) => idOption)
  const change = onWish ?? toAddress
  const onOption = (idOption: number, isSelected: boolean) => {
    const offerIds = isSelected ? [...held, idOption] : held.filter((id) => id !== idOption)
    setWanted({ of: cart, offerIds })
    change(offerIds)
  }
  const onWithdrawn = (offerIds: number[]) => {
    // With the old offers in the address, the next request would put the withdrawn offers into the cart again.
    if (wish.offerIds.length > 0 || wish.contentId !== undefined) change(offerIds)
    else onVoucher(cart.voucher?.code)
  }
  return (
    <Checkout cart={cart} onBegun={onBegun} onVoucher={onVoucher} onWithdrawn={onWithdrawn}>
      <CartOptions held={held} onChange={onOption} />
    </Checkout>
  )
}
