import type { PaymentMethod } from '@ondine/contract/orders'
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import { useTranslation } from 'react-i18next'
import styles from './payment-methods.module.css'

/** The choice to pay by none. */
const NONE = 'none'

/** How one pays: a saved card, or a new one (A4.8-03). Where no card is needed yet, by none. */
export function PaymentMethods({
  methods,
  value,
  onChange,
  isOptional = false,
}: {
  methods: readonly PaymentMethod[]
  /** Undefined for none. */
  value: PaymentMethod | undefined
  onChange: (method: PaymentMethod | undefined) => void
  /** Whether there may be none. */
  isOptional?: boolean
}) {
  const { t } = useTranslation('cart')
  return (
    <RadioGroup
      className={styles.list ?? ''}
      aria-labelledby="method"
      value={value === undefined ? NONE : idOf(value)}
      onChange={(id) => onChange(methods.find((method) => idOf(method) === id))}
    >
      {isOptional && (
        <Radio value={NONE} className={styles.method ?? ''}>
          <span className={styles.mark} aria-hidden="true" />
          <span>
            <span className={styles.name}>{t('noCard')}</span>
            <span className={styles.text}>{t('noCardText')}</span>
          </span>
        </Radio>
      )}
      {methods.map((method) => (
        <Radio key={idOf(method)} value={idOf(method)} className={styles.method ?? ''}>
          <span className={styles.mark} aria-hidden="true" />
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
        </Radio>
      ))}
    </RadioGroup>
  )
}

function idOf({ paymentProvider, paymentMethod }: PaymentMethod): string {
  return `${paymentProvider} ${paymentMethod}`
}
