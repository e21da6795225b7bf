import type { ReactNode } from 'react'
import { Radio, RadioGroup, type RadioGroupProps } from 'react-aria-components/RadioGroup'
import styles from './choice-row.module.css'

/** Things of which one is chosen, below one another, each a {@link ChoiceRow}. */
export function ChoiceRows(props: Omit<RadioGroupProps, 'className'>) {
  return <RadioGroup {...props} className={styles.list ?? ''} />
}

/** One of {@link ChoiceRows}: a mark that says whether it is chosen, and the words beside it. */
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
