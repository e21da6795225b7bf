import styles from './struck-price.module.css'
import { UNSEEN } from './unseen.ts'

/** A price that is higher than what is asked now, struck through. */
export interface StruckPriceContent {
  amount: string
  /** What is read out before it: a line through a text is not heard. */
  label: string
}

export function StruckPrice({ amount, label }: StruckPriceContent) {
  return (
    <s className={styles.struck}>
      <span className={UNSEEN}>{label} </span>
      {amount}
    </s>
  )
}
