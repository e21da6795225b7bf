import type { FieldValues } from 'react-hook-form'
import styles from './form-refusal.module.css'
import type { FormHandle } from './use-form.ts'

/**
 * The error message of a whole form. Its element always exists, so that screen readers announce the text when it
 * appears.
 */
export function FormRefusal<Values extends FieldValues>({ form }: { form: FormHandle<Values> }) {
  return (
    <p role="alert" className={styles.refusal}>
      {form.refusal}
    </p>
  )
}
