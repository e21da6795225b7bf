import type { FieldValues } from 'react-hook-form'
import styles from './form-refusal.module.css'
import type { FormHandle } from './use-form.ts'

/** Why the whole form was refused. The place is kept, and read aloud when it fills. */
export function FormRefusal<Values extends FieldValues>({ form }: { form: FormHandle<Values> }) {
  return (
    <p role="alert" className={styles.refusal}>
      {form.refusal}
    </p>
  )
}
