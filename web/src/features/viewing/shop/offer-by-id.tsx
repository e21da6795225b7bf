import { notFound } from '@tanstack/react-router'
import { HomePosters } from '../../content/catalogue/home-posters.tsx'
import { OfferScreen } from '../../rights/offers/offer-screen.tsx'
import { SubscribeLink } from '../../rights/offers/plan-card.tsx'
import styles from './offer-by-id.module.css'
import { OffersPart } from './offers-screen.tsx'
import { SingleLink } from './single-link.tsx'

/** The page of the offer with an id. Requires that the offer is on sale. */
export function OfferById({ id }: { id: number }) {
  return (
    <OffersPart>
      {(offers) => {
        const offer = offers.find(({ idOption }) => idOption === id)
        if (offer === undefined) throw notFound()
        return (
          <>
            <div className={styles.offer}>
              <OfferScreen offer={offer}>
                {offer.offerType === 'subscription' ? (
                  <SubscribeLink offer={offer} />
                ) : (
                  <SingleLink offer={offer} />
                )}
              </OfferScreen>
            </div>
            <HomePosters />
          </>
        )
      }}
    </OffersPart>
  )
}
