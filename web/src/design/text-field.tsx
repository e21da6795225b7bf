import type { ReactNode } from 'react'
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
  value,
  error,
  side,
  onChange,
  onBlur,
}: {
  name: string
  label: string
  type?: 'text' | 'email' | 'password'
  autoComplete?: string
  value: string
  /** What is wrong, in words; undefined while nothing is. */
  error?: string | undefined
  /** Stands inside the field, at its end. */
  side?: ReactNode
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
      isRequired
      validationBehavior="aria"
      {...(autoComplete === undefined ? {} : { autoComplete })}
      {...(onBlur === undefined ? {} : { onBlur })}
    >
      <Label className={styles.label ?? ''}>{label}</Label>
      <div className={styles.box}>
        <Input className={styles.input ?? ''} spellCheck={false} autoCapitalize="none" />
        {side}
      </div>
      <FieldError className={styles.error ?? ''}>{error}</FieldError>
    </AriaTextField>
  )
}
