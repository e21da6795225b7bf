import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CheckField } from '../../../design/fields/check-field.tsx'
import { usePlace } from '../../../words/place.tsx'
import styles from './cart-screen.module.css'
import { priceOf } from './offer-texts.ts'
import { offersQuery } from './offers-query.ts'

/** The options that the viewer can add to the subscription in the cart. */
export function CartOptions({
  held,
  onChange,
}: {
  /** Ids of the offers that the cart contains, or will contain. */
  held: readonly number[]
  onChange: (idOption: number, isSelected: boolean) => void
}) {
  const { t } = useTranslation()
  const { language } = usePlace()
  const { data: offers = [] } = useQuery(offersQuery)
  const options = offers.filter(
    ({ requires, userValidityActive }) => !userValidityActive && requires.some((id) => held.includes(id)),
  )
  if (options.length === 0) return null
  return (
    <section className={styles.part} aria-labelledby="options">
      <h2 id="options" className={styles.heading}>
        {t('cart.options')}
      </h2>
      {options.map((option) => {
        const { amount: price, per, note } = priceOf(option, language, t)
        return (
          <CheckField
            key={option.idOption}
            name={`option-${option.idOption}`}
            // The note contains the duration of a lower price, and the price after it.
            label={t('cart.option', { title: option.title, price, per: per ?? note ?? '' })}
            isSelected={held.includes(option.idOption)}
            onChange={(isSelected) => onChange(option.idOption, isSelected)}
          />
        )
      })}
    </section>
  )
}
