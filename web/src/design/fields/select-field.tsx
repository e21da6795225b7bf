import type { Ref } from 'react'
import { Button } from 'react-aria-components/Button'
import { FieldError } from 'react-aria-components/FieldError'
import { Label } from 'react-aria-components/Label'
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select'
import { ChevronDownIcon } from '../icons/icons.tsx'
import styles from './select-field.module.css'
import { SelectOptions } from './select-options.tsx'
import fieldStyles from './text-field.module.css'

/** A select field of a form, with its label above and its error message below. Looks like a text field. */
export function SelectField({
  name,
  label,
  options,
  placeholder,
  autoComplete,
  isRequired = true,
  isDisabled = false,
  value,
  error,
  ref,
  onChange,
  onBlur,
}: {
  name: string
  label: string
  options: readonly { id: string; title: string }[]
  /** Text in the field while no option is selected. */
  placeholder: string
  autoComplete?: string | undefined
  isRequired?: boolean
  isDisabled?: boolean
  /** Id of the selected option; empty if no option is selected. */
  value: string
  /** The error message; undefined while the value is valid. */
  error?: string | undefined
  ref?: Ref<HTMLButtonElement>
  onChange: (id: string) => void
  /** Called when the focus leaves the field. Not called when the list of options opens. */
  onBlur?: () => void
}) {
  return (
    <AriaSelect
      className={fieldStyles.field ?? ''}
      name={name}
      placeholder={placeholder}
      value={value === '' ? null : value}
      onChange={(key) => onChange(key === null ? '' : String(key))}
      isInvalid={error !== undefined}
      isRequired={isRequired}
      isDisabled={isDisabled}
      validationBehavior="aria"
      {...(autoComplete === undefined ? {} : { autoComplete })}
      {...(onBlur === undefined ? {} : { onBlur })}
    >
      <Label className={fieldStyles.label ?? ''}>{label}</Label>
      <Button className={styles.button ?? ''} {...(ref === undefined ? {} : { ref })}>
        <SelectValue className={styles.value ?? ''} />
        <ChevronDownIcon />
      </Button>
      <FieldError className={fieldStyles.error ?? ''}>{error}</FieldError>
      <SelectOptions options={options} />
    </AriaSelect>
  )
}
