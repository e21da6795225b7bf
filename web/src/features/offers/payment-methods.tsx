import type { PaymentMethod } from '@ondine/contract/orders'
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import { useTranslation } from 'react-i18next'
import styles from './payment-methods.module.css'

/** How one pays: a saved card, or a new one (A4.8-03). */
export function PaymentMethods({
  methods,
  value,
  onChange,
}: {
  methods: readonly PaymentMethod[]
  value: PaymentMethod
  onChange: (method: PaymentMethod) => void
}) {
  const { t } = useTranslation('cart')
  return (
    <RadioGroup
      className={styles.list ?? ''}
      aria-labelledby="method"
      value={idOf(value)}
      onChange={(id) => {
        const chosen = methods.find((method) => idOf(method) === id)
        if (chosen !== undefined) onChange(chosen)
      }}
    >
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
