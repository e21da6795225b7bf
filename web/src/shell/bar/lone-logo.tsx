import { HomeLogo } from './logo.tsx'
import styles from './plain-bar.module.css'

/** The logo alone, at the top of a screen that has no bar (V2.4-09). */
export function LoneLogo() {
  return (
    <div className={styles.bar}>
      <HomeLogo />
    </div>
  )
}
