import { type ReactNode, useId } from 'react'
import { Checkbox } from 'react-aria-components/Checkbox'
import styles from './check-field.module.css'
import { CheckIcon } from './icons.tsx'

/** Something that is agreed to or not, as a part of a form: what is wrong stands below it. */
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
  /** What is wrong, in words; undefined while nothing is. */
  error?: string | undefined
  onChange: (isSelected: boolean) => void
  onBlur?: () => void
}) {
  const fault = useId()
  return (
    <div>
      <Checkbox
        className={styles.field ?? ''}
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
        <span>{label}</span>
      </Checkbox>
      {error !== undefined && (
        <p id={fault} className={styles.error}>
          {error}
        </p>
      )}
    </div>
  )
}
