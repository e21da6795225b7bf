import { type ComponentProps, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Button } from '../design/buttons/button.tsx'
import styles from './password-input.module.css'
import { TextInput } from './text-input.tsx'

/** A password field with a button that shows the password. */
export function PasswordInput<Values extends FieldValues>(
  props: Omit<ComponentProps<typeof TextInput<Values>>, 'type' | 'side' | 'mask'> & {
    autoComplete: 'current-password' | 'new-password'
  },
) {
  const { t } = useTranslation()
  const [shown, setShown] = useState(false)
  return (
    <TextInput<Values>
      {...props}
      type={shown ? 'text' : 'password'}
      side={
        <Button
          look="plain"
          className={styles.show}
          aria-label={t(shown ? 'forms.hidePasswordLabel' : 'forms.showPasswordLabel')}
          onPress={() => setShown(!shown)}
        >
          {t(shown ? 'forms.hidePassword' : 'forms.showPassword')}
        </Button>
      }
    />
  )
}
