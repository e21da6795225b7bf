import { useTranslation } from 'react-i18next'
import { CheckField } from '../../design/check-field.tsx'

/** The waiver of the right of withdrawal, which is asked for before what starts at once is paid (directive 2011/83/EU, article 16 m). */
export function WaiverField({
  isWaived,
  isMissing,
  onChange,
}: {
  isWaived: boolean
  /** Whether the press that pays found it missing. */
  isMissing: boolean
  onChange: (isWaived: boolean) => void
}) {
  const { t } = useTranslation('cart')
  return (
    <CheckField
      name="policyValidation"
      label={t('waiver')}
      isSelected={isWaived}
      isRequired
      error={isMissing ? t('waiverMissing') : undefined}
      onChange={onChange}
    />
  )
}
