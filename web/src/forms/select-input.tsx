import type { ComponentProps } from 'react'
import { type FieldPathByValue, type FieldValues, useController } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { SelectField } from '../design/fields/select-field.tsx'
import { faultText } from './fault-text.ts'
import type { FormHandle } from './use-form.ts'

/**
 * A select field in a form, such as for a country, a language or a title. If it is required and empty, it
 * shows the error for required fields (V5-03).
 */
export function SelectInput<Values extends FieldValues>({
  form,
  name,
  placeholder,
  ...rest
}: {
  form: FormHandle<Values>
  name: FieldPathByValue<Values, string>
  /** Shown while nothing is selected. Defaults to an invitation to choose. */
  placeholder?: string
} & Omit<
  ComponentProps<typeof SelectField>,
  'name' | 'value' | 'error' | 'ref' | 'onChange' | 'onBlur' | 'placeholder'
>) {
  const { t } = useTranslation()
  const {
    field: { value, ref, onChange, onBlur },
    fieldState,
  } = useController({ control: form.control, name })
  return (
    <SelectField
      {...rest}
      name={name}
      placeholder={placeholder ?? t('forms.choose')}
      value={value}
      error={faultText(fieldState.error?.message, t)}
      ref={ref}
      onChange={onChange}
      onBlur={onBlur}
    />
  )
}
