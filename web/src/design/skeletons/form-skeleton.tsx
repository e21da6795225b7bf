import styles from './form-skeleton.module.css'

/** Placeholder of an account screen: its heading and its fields. */
export function FormSkeleton() {
  return (
    <div className={styles.form} aria-busy="true">
      <span className={`${styles.bone} ${styles.heading}`} />
      {FIELDS.map((field) => (
        <span key={field} className={styles.bone} />
      ))}
    </div>
  )
}

const FIELDS = [1, 2, 3, 4]
