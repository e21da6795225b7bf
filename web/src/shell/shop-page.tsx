import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../design/buttons/button.tsx'
import { pathOf } from '../features/ground/links/content-link.ts'
import { isChild, useSession } from '../features/ground/session/session.ts'
import { useShop, useWebsite } from '../features/rights/offers/use-shop.ts'
import { ElsewhereScreen } from '../features/viewing/shop/elsewhere-screen.tsx'
import { GrownUpsOnly } from './account/grown-ups-only.tsx'
import { MessagePage } from './message-page.tsx'

/**
 * A purchase screen, or a link to the place where the viewer can buy (A4.2-01, A4.8-11, A4.8-12). Children and
 * suspended accounts cannot buy (A6-03).
 *
 * @param rents whether the screen also sells rentals, which are on sale even without the offers screen
 */
export function ShopPage({ rents = false, children }: { rents?: boolean; children: ReactNode }) {
  const { shop, rentalShop } = useShop()
  const session = useSession()
  if (isChild(session)) return <GrownUpsOnly />
  if (session.account?.status === 'SUSPENDED') return <SuspendedPage />
  const here = rents ? rentalShop : shop
  switch (here.kind) {
    case 'elsewhere':
      return <ElsewhereScreen target={here.target} />
    case 'website':
      return <WebsitePage />
    case 'closed':
      return <ClosedPage />
    default:
      return children
  }
}

/** The page that replaces a purchase screen in an app that may not sell (A4.8-12). */
function WebsitePage() {
  const { t } = useTranslation()
  const website = useWebsite()
  return (
    <MessagePage
      title={t('modals.restrictPaymentTitle')}
      text={t('modals.restrictPayment')}
      back={t('notAvailable.back')}
      action={
        <ButtonLink look="primary" to={website}>
          {t('modals.restrictPaymentGo')}
        </ButtonLink>
      }
    />
  )
}

function ClosedPage() {
  const { t } = useTranslation()
  return (
    <MessagePage
      title={t('offers.closedTitle')}
      text={t('offers.closed')}
      back={t('notAvailable.back')}
      action={
        <ButtonLink look="primary" to={pathOf('assets')}>
          {t('offers.toCatalogue')}
        </ButtonLink>
      }
    />
  )
}

function SuspendedPage() {
  const { t } = useTranslation()
  return (
    <MessagePage
      title={t('modals.suspendedTitle')}
      text={t('modals.suspended')}
      back={t('notAvailable.back')}
    />
  )
}
