import type { ReactNode } from 'react'
import { type FieldPathByValue, type FieldValues, useController } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { CheckField } from '../design/fields/check-field.tsx'
import { faultText } from './fault-text.ts'
import type { FormHandle } from './use-form.ts'

/** A checkbox in a form, such as for an agreement (A5-17). */
export function CheckInput<Values extends FieldValues>({
  form,
  name,
  label,
  isRequired = false,
}: {
  form: FormHandle<Values>
  name: FieldPathByValue<Values, boolean>
  label: ReactNode
  isRequired?: boolean
}) {
  const { t } = useTranslation()
  const {
    field: { value, onChange, onBlur },
    fieldState,
  } = useController({ control: form.control, name })
  return (
    <CheckField
      name={name}
      label={label}
      isSelected={value}
      isRequired={isRequired}
      error={faultText(fieldState.error?.message, t)}
      onChange={onChange}
      onBlur={onBlur}
    />
  )
}
