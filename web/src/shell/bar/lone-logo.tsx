import { HomeLogo } from './logo.tsx'
import styles from './plain-bar.module.css'

/** The logo on a screen without a navigation bar (V2.4-09). */
export function LoneLogo() {
  return (
    <div className={styles.bar}>
      <HomeLogo />
    </div>
  )
}
