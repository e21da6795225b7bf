import { UNSEEN } from '../page/unseen.ts'
import styles from './struck-price.module.css'

/** A former price, higher than the current one, struck through. */
export interface StruckPriceContent {
  amount: string
  /** Read out before the price, because screen readers do not announce a strikethrough. */
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
