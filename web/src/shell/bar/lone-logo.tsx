import { HomeLogo } from './logo.tsx'
import styles from './plain-bar.module.css'

/** Only the logo, for a screen without a bar (V2.4-09). */
export function LoneLogo() {
  return (
    <div className={styles.bar}>
      <HomeLogo />
    </div>
  )
}
