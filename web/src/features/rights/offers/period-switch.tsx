import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import { useTranslation } from 'react-i18next'
import styles from './period-switch.module.css'
import { PERIODS, type Period } from './plans.ts'

/** The choice between monthly and yearly payment (A2.3-12). */
export function PeriodSwitch({ value, onChange }: { value: Period; onChange: (period: Period) => void }) {
  const { t } = useTranslation('offers')
  return (
    <RadioGroup
      className={styles.group ?? ''}
      aria-label={t('period')}
      orientation="horizontal"
      value={value}
      // `as`, because the radio buttons below have no other values.
      onChange={(chosen) => onChange(chosen as Period)}
    >
      {PERIODS.map((period) => (
        <Radio key={period} value={period} className={styles.choice ?? ''}>
          {t(period)}
        </Radio>
      ))}
    </RadioGroup>
  )
}
