import { useTranslation } from 'react-i18next'
import { isNative } from '../api/native.ts'
import { setStatus } from '../api/status.ts'
import { ButtonLink } from '../design/button.tsx'
import { isChild, isChildWatching, sessionQuery, useSession } from '../features/accounts/session.ts'
import { homeQuery } from '../features/catalogue/queries.ts'
import { configurationOf } from '../features/configuration/configuration-query.ts'
import { pathOf } from '../features/links/content-link.ts'
import { ElsewhereScreen } from '../features/offers/elsewhere-screen.tsx'
import { rentalShopOf, type Shop, shopOf } from '../features/offers/shop.ts'
import { useShop, useWebsite } from '../features/offers/use-shop.ts'
import { GrownUpsOnly } from './account/grown-ups-only.tsx'
import type { SHOP_SCREENS } from './closed-screens.ts'
import { MessagePage } from './message-page.tsx'
import { NotAvailablePage } from './not-available-page.tsx'
import { type RouterContext, routeHead } from './route-head.ts'

type ShopScreen = (typeof SHOP_SCREENS)[number]

const RENTING: ReadonlySet<ShopScreen> = new Set(['offers-cart', 'offers-checkout'])

/**
 * The options of a screen on which one buys: the way to where that is, as far as it is not here (A4.2-01, A4.8-11, A4.8-12).
 * What is sold here is not open yet: a plain page with status 501.
 */
export function shopScreen(name: ShopScreen) {
  return {
    loader: async ({ context: { queryClient, environment } }: { context: RouterContext }) => {
      if (isChildWatching(queryClient)) return
      const configuration = configurationOf(queryClient)
      const shop = (RENTING.has(name) ? rentalShopOf : shopOf)(configuration, isNative())
      if (shop.kind === 'here') setStatus(501)
      if (shop.kind !== 'elsewhere') return
      const session = await queryClient.ensureQueryData(sessionQuery)
      await queryClient.prefetchQuery(homeQuery(session, environment.shuffle))
    },
    head: ({ match }: { match: { context: RouterContext; pathname: string } }) => {
      const { t } = match.context.words
      return routeHead(match.context, {
        title: t(`notAvailable.${name}`),
        description: '',
        path: match.pathname,
        unlisted: true,
      })
    },
    component: () => <ShopPage name={name} />,
  }
}

function ShopPage({ name }: { name: ShopScreen }) {
  const { shop, rentalShop } = useShop()
  if (isChild(useSession())) return <GrownUpsOnly />
  const here: Shop = RENTING.has(name) ? rentalShop : shop
  switch (here.kind) {
    case 'elsewhere':
      return <ElsewhereScreen target={here.target} />
    case 'website':
      return <WebsitePage />
    case 'closed':
      return <ClosedPage />
    default:
      return <NotAvailablePage name={name} />
  }
}

/** What an app says that may not sell (A4.8-12). */
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
