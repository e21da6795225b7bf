import type { HTMLAttributes, ReactNode, Ref } from 'react'
import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { TextField as AriaTextField } from 'react-aria-components/TextField'
import styles from './text-field.module.css'

/** A field of a form: its label above, what is wrong with it below in words. */
export function TextField({
  name,
  label,
  type = 'text',
  autoComplete,
  inputMode,
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
  /** The keyboard of a phone, where the type does not say it. */
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode'] | undefined
  maxLength?: number | undefined
  isRequired?: boolean
  /** Whether it is where one begins, in a dialog that was opened for it. */
  autoFocus?: boolean
  value: string
  /** What is wrong, in words; undefined while nothing is. */
  error?: string | undefined
  /** The id of what says more about the field. */
  describedBy?: string | undefined
  /** Stands inside the field, at its end. */
  side?: ReactNode
  ref?: Ref<HTMLInputElement>
  onChange: (value: string) => void
  onBlur?: () => void
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
          autoCapitalize="none"
          {...(ref === undefined ? {} : { ref })}
        />
        {side}
      </div>
      <FieldError className={styles.error ?? ''}>{error}</FieldError>
    </AriaTextField>
  )
}
