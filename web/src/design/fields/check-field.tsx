import { type ReactNode, useId } from 'react'
import { Checkbox } from 'react-aria-components/Checkbox'
import { CheckIcon } from '../icons/icons.tsx'
import styles from './check-field.module.css'

/** A checkbox in a form, with its error message below. */
export function CheckField({
  name,
  label,
  isSelected,
  isRequired = false,
  error,
  onChange,
  onBlur,
}: {
  name: string
  label: ReactNode
  isSelected: boolean
  isRequired?: boolean
  /** The error message; undefined while the value is valid. */
  error?: string | undefined
  onChange: (isSelected: boolean) => void
  onBlur?: () => void
}) {
  const id = useId()
  const fault = useId()
  return (
    <div>
      <div className={styles.field}>
        <Checkbox
          id={id}
          className={styles.control ?? ''}
          name={name}
          isSelected={isSelected}
          isRequired={isRequired}
          isInvalid={error !== undefined}
          validationBehavior="aria"
          onChange={onChange}
          {...(error === undefined ? {} : { 'aria-describedby': fault })}
          {...(onBlur === undefined ? {} : { onBlur })}
        >
          <span className={styles.box} aria-hidden="true">
            {isSelected && <CheckIcon />}
          </span>
        </Checkbox>
        {/* The label is outside the checkbox, because a checkbox would handle presses on a link in its label. */}
        <label htmlFor={id} className={styles.label}>
          {label}
        </label>
      </div>
      {error !== undefined && (
        <p id={fault} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  )
}
