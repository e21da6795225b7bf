import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import { useTranslation } from 'react-i18next'
import styles from './period-switch.module.css'
import { PERIODS, type Period } from './plans.ts'

/** How often one wants to pay: each month, or each year (A2.3-12). */
export function PeriodSwitch({ value, onChange }: { value: Period; onChange: (period: Period) => void }) {
  const { t } = useTranslation('offers')
  return (
    <RadioGroup
      className={styles.group ?? ''}
      aria-label={t('period')}
      orientation="horizontal"
      value={value}
      // Its values are those of the radios below.
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
