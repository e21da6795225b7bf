import type { Offer } from '@ondine/contract/offers'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../design/button.tsx'
import type { OfferLayout } from '../../design/layouts.ts'
import { OfferCard } from '../../design/offer-card.tsx'
import type { TagContent } from '../../design/tag.tsx'
import { usePlace } from '../../words/place.tsx'
import { useConfiguration } from '../configuration/use-configuration.ts'
import { cartPath, checkoutPath, offerPath } from './offer-paths.ts'
import { isSpecial, priceOf, specialText } from './offer-texts.ts'
import { subscribesAtService } from './shop.ts'

/**
 * A subscription to choose, with what can be done with it (A2.3-12). One that is held is dimmed and says so (A2.3-13).
 *
 * @param children what can be done with it; into the cart and to its page unless given
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
  const { title, description, advantages, userValidityActive: isHeld } = offer
  return (
    <OfferCard
      layout={layout}
      heading={layout === 'OfferSquare' ? 'h2' : 'h3'}
      title={title}
      text={description}
      image={offer.image}
      price={priceOf(offer, language, t)}
      features={advantages}
      tags={useOfferTags(offer)}
      recommended={!isHeld && offer.discount.active}
      dimmed={isHeld}
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

/** What an offer says of itself at a glance. */
export function useOfferTags(
  offer: Pick<Offer, 'userValidityActive' | 'discount' | 'globalPromotion' | 'trialDays'>,
): TagContent[] {
  const { t } = useTranslation()
  if (offer.userValidityActive) return [{ tone: 'plain', text: t('offers.held') }]
  return isSpecial(offer) ? [{ tone: 'new', text: specialText(offer, t) }] : []
}

/** The way into the cart with an offer, or to the subscription service; none for what is held. Who is not signed in comes there by signing in. */
export function SubscribeLink({ offer }: { offer: Offer }) {
  const { t } = useTranslation('offers')
  const { title, idOption, trialDays, requires, userValidityActive } = offer
  const isAtService = subscribesAtService(useConfiguration())
  if (userValidityActive) return null
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
