import type { FocusEvent, HTMLAttributes, ReactNode, Ref } from 'react'
import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { TextField as AriaTextField } from 'react-aria-components/TextField'
import styles from './text-field.module.css'

/** A text field of a form, with its label above and its error message below. */
export function TextField({
  name,
  label,
  type = 'text',
  autoComplete,
  inputMode,
  autoCapitalize = 'none',
  maxLength,
  isRequired = true,
  autoFocus = false,
  value,
  error,
  describedBy,
  side,
  ref,
  onChange,
  onBlur,
}: {
  name: string
  label: string
  type?: 'text' | 'email' | 'password' | 'tel'
  autoComplete?: string | undefined
  /** Type of the on-screen keyboard, if the input's type does not determine it. */
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode'] | undefined
  /** Letters that the on-screen keyboard writes as capitals. */
  autoCapitalize?: 'none' | 'characters'
  maxLength?: number | undefined
  isRequired?: boolean
  /** Whether the field gets the focus when its dialog opens. */
  autoFocus?: boolean
  value: string
  /** The error message; undefined while the value is valid. */
  error?: string | undefined
  /** The id of an element that describes the field. */
  describedBy?: string | undefined
  /** Content inside the field, at its end. */
  side?: ReactNode
  ref?: Ref<HTMLInputElement>
  onChange: (value: string) => void
  onBlur?: (event: FocusEvent) => void
}) {
  return (
    <AriaTextField
      className={styles.field ?? ''}
      name={name}
      type={type}
      value={value}
      onChange={onChange}
      isInvalid={error !== undefined}
      isRequired={isRequired}
      autoFocus={autoFocus}
      validationBehavior="aria"
      {...(autoComplete === undefined ? {} : { autoComplete })}
      {...(inputMode === undefined ? {} : { inputMode })}
      {...(maxLength === undefined ? {} : { maxLength })}
      {...(onBlur === undefined ? {} : { onBlur })}
      {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
    >
      <Label className={styles.label ?? ''}>{label}</Label>
      <div className={styles.box}>
        <Input
          className={styles.input ?? ''}
          spellCheck={false}
          autoCapitalize={autoCapitalize}
          {...(ref === undefined ? {} : { ref })}
        />
        {side}
      </div>
      <FieldError className={styles.error ?? ''}>{error}</FieldError>
    </AriaTextField>
  )
}
