import { useTranslation } from 'react-i18next'
import { CheckField } from '../../../design/fields/check-field.tsx'

/**
 * A box by which the viewer gives up the right of withdrawal. This is required before paying for content that starts at
 * once (directive 2011/83/EU, article 16 m).
 */
export function WaiverField({
  isWaived,
  isMissing,
  onChange,
}: {
  isWaived: boolean
  /** Whether the pay button was pressed while the box was not checked. */
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
