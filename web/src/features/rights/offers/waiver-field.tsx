import { useTranslation } from 'react-i18next'
import { CheckField } from '../../../design/fields/check-field.tsx'

/**
 * A checkbox with which the viewer waives the right of withdrawal. The waiver is required before the payment for
 * content that starts at once (directive 2011/83/EU, article 16 m).
 */
export function WaiverField({
  isWaived,
  isMissing,
  onChange,
}: {
  isWaived: boolean
  /** Whether the viewer pressed the pay button while the box was not checked. */
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
