import { UNSEEN } from '../page/unseen.ts'
import styles from './struck-price.module.css'

/** A higher, former price, which is shown struck through. */
export interface StruckPriceContent {
  amount: string
  /** Text that screen readers read before the price, because they do not announce a strikethrough. */
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
