import type { PaymentMethod } from '@ondine/contract/orders'
import { useTranslation } from 'react-i18next'
import { ChoiceRow, ChoiceRows } from '../../../design/fields/choice-row.tsx'
import styles from './payment-methods.module.css'

/** The value of the radio button for “no payment method”. */
const NONE = 'none'

/**
 * The choice between the saved cards and a new card (A4.8-03). If no card is required yet, the viewer may also choose
 * no card.
 */
export function PaymentMethods({
  methods,
  value,
  onChange,
  isOptional = false,
}: {
  methods: readonly PaymentMethod[]
  /** The chosen method; undefined if the viewer chose none. */
  value: PaymentMethod | undefined
  onChange: (method: PaymentMethod | undefined) => void
  /** Whether the viewer may choose no method. */
  isOptional?: boolean
}) {
  const { t } = useTranslation('cart')
  return (
    <ChoiceRows
      aria-labelledby="method"
      value={value === undefined ? NONE : idOf(value)}
      onChange={(id) => onChange(methods.find((method) => idOf(method) === id))}
    >
      {isOptional && (
        <ChoiceRow value={NONE}>
          <span>
            <span className={styles.name}>{t('noCard')}</span>
            <span className={styles.text}>{t('noCardText')}</span>
          </span>
        </ChoiceRow>
      )}
      {methods.map((method) => (
        <ChoiceRow key={idOf(method)} value={idOf(method)}>
          <span>
            {method.label === null ? (
              <>
                <span className={styles.name}>{t('newCard')}</span>
                <span className={styles.text}>{t('newCardText')}</span>
              </>
            ) : (
              <span className={styles.name}>
                <span className={styles.brand}>{method.paymentBrand}</span> {method.label}
              </span>
            )}
          </span>
        </ChoiceRow>
      ))}
    </ChoiceRows>
  )
}

function idOf({ paymentProvider, paymentMethod }: PaymentMethod): string {
  return `${paymentProvider} ${paymentMethod}`
}
