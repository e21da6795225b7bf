import type { ReactNode } from 'react'
import { Radio, RadioGroup, type RadioGroupProps } from 'react-aria-components/RadioGroup'
import styles from './choice-row.module.css'

/** A vertical list of {@link ChoiceRow}s. Exactly one row is selected. */
export function ChoiceRows(props: Omit<RadioGroupProps, 'className'>) {
  return <RadioGroup {...props} className={styles.list ?? ''} />
}

/** A row of {@link ChoiceRows}, with a radio button and its text. */
export function ChoiceRow({
  value,
  className = '',
  children,
}: {
  value: string
  className?: string | undefined
  children: ReactNode
}) {
  return (
    <Radio value={value} className={`${styles.row} ${className}`}>
      <span className={styles.mark} aria-hidden="true" />
      {children}
    </Radio>
  )
}
