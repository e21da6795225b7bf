import type { Offer } from '@ondine/contract/offers'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../../design/buttons/button.tsx'
import { OfferCard } from '../../../design/cards/offer-card.tsx'
import type { TagContent } from '../../../design/cards/tag.tsx'
import type { OfferLayout } from '../../../design/tokens/layouts.ts'
import { usePlace } from '../../../words/place.tsx'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { cartPath, checkoutPath, offerPath } from './offer-paths.ts'
import { isSpecial, priceOf, specialText, withoutBeginning } from './offer-texts.ts'
import { subscribesAtService } from './shop.ts'
import { useStanding } from './standing.ts'

/**
 * The card of a subscription, with its actions (A2.3-12). If the viewer already has the subscription, the card is
 * dimmed and has a label that says so (A2.3-13).
 *
 * @param children the actions; by default links to the cart and to the page of the subscription
 */
export function PlanCard({
  offer,
  layout,
  children,
}: {
  offer: Offer
  layout: OfferLayout
  children?: ReactNode
}) {
  const { t } = useTranslation()
  const { language } = usePlace()
  const { title, description, advantages } = offer
  const standing = useStanding(offer)
  return (
    <OfferCard
      layout={layout}
      heading={layout === 'OfferSquare' ? 'h2' : 'h3'}
      title={title}
      text={description}
      image={offer.image}
      price={priceOf(standing === 'open' ? offer : withoutBeginning(offer), language, t)}
      features={advantages}
      tags={useOfferTags(offer)}
      recommended={standing === 'open' && offer.discount.active}
      dimmed={standing === 'own' || standing === 'held'}
    >
      {children ?? (
        <>
          <SubscribeLink offer={offer} />
          <ButtonLink to={offerPath(offer)} label={t('offers.moreOf', { title })}>
            {t('offers.more')}
          </ButtonLink>
        </>
      )}
    </OfferCard>
  )
}

/** Returns the tags of an offer. */
export function useOfferTags(offer: Offer): TagContent[] {
  const { t } = useTranslation()
  const standing = useStanding(offer)
  if (standing === 'own' || standing === 'held') return [{ tone: 'held', text: t('offers.held') }]
  return standing === 'open' && isSpecial(offer) ? [{ tone: 'new', text: specialText(offer, t) }] : []
}

/**
 * A link to the cart with an offer, or to the subscription service. For an account with a plan, the link leads to the
 * screen that manages the plan. Renders nothing if the account has the offer's rights from another source. A
 * signed-out viewer signs in before the target opens.
 */
export function SubscribeLink({ offer }: { offer: Offer }) {
  const { t } = useTranslation('offers')
  const { title, idOption, trialDays, requires } = offer
  const isAtService = subscribesAtService(useConfiguration())
  const standing = useStanding(offer)
  if (standing === 'held') return null
  if (standing !== 'open') {
    const isOwn = standing === 'own'
    return (
      <ButtonLink
        look={isOwn ? 'secondary' : 'primary'}
        to={pathOf('account-products')}
        label={t(isOwn ? 'manageOf' : 'changeTo', { title })}
      >
        {t(isOwn ? 'manage' : 'change')}
      </ButtonLink>
    )
  }
  const [text, label] =
    requires.length > 0
      ? [t('add'), t('addOf', { title })]
      : trialDays > 0
        ? [t('try'), t('tryOf', { title })]
        : [t('subscribe'), t('subscribeTo', { title })]
  return (
    <ButtonLink
      look="primary"
      to={isAtService ? checkoutPath(idOption) : cartPath({ offerIds: [idOption] })}
      label={label}
    >
      {text}
    </ButtonLink>
  )
}
