import { FormSkeleton } from '../../../design/skeletons/form-skeleton.tsx'
import styles from './registration-skeleton.module.css'

/** Placeholder of the panel that contains the form of a new account. */
export function RegistrationSkeleton() {
  return (
    <div className={styles.screen}>
      <div className={styles.panel}>
        <FormSkeleton />
      </div>
    </div>
  )
}
