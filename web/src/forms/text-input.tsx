import type { ComponentProps } from 'react'
import { type FieldPathByValue, type FieldValues, useController } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { TextField } from '../design/fields/text-field.tsx'
import { faultText } from './fault-text.ts'
import type { Mask } from './masks.ts'
import type { FormHandle } from './use-form.ts'
import { useMask } from './use-mask.ts'

/** A text field in a form, such as for a name, an address or a number. */
export function TextInput<Values extends FieldValues>({
  form,
  name,
  mask,
  ...rest
}: {
  form: FormHandle<Values>
  name: FieldPathByValue<Values, string>
  /** Formats the typed text: only digits, or digits in pairs. */
  mask?: Mask
} & Omit<ComponentProps<typeof TextField>, 'name' | 'value' | 'error' | 'ref' | 'onChange' | 'onBlur'>) {
  const { t } = useTranslation()
  const { field, fieldState } = useController({ control: form.control, name })
  const { input, onChange } = useMask(mask, field)
  return (
    <TextField
      {...rest}
      name={name}
      value={field.value}
      error={faultText(fieldState.error?.message, t)}
      ref={input}
      onChange={onChange}
      onBlur={field.onBlur}
    />
  )
}
