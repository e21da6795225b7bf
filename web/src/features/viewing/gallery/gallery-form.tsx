import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../../../forms/form.tsx'
import { FormRefusal } from '../../../forms/form-refusal.tsx'
import { codeMask, digitsOnly, phoneMask } from '../../../forms/masks.ts'
import { NewPasswordInput } from '../../../forms/new-password-input.tsx'
import { PasswordInput } from '../../../forms/password-input.tsx'
import { SelectInput } from '../../../forms/select-input.tsx'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { TextInput } from '../../../forms/text-input.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { languageTitle } from '../../../words/format.ts'
import { usePlace } from '../../../words/place.tsx'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import styles from './gallery-controls.module.css'
import { GallerySection } from './gallery-section.tsx'

const LANGUAGES = ['fra', 'eng', 'deu', 'ita', 'spa'] as const
const CODE_DIGITS = 4
const NOTHING = {
  email: '',
  emailConfirm: '',
  language: '',
  phoneNumber: '',
  zip: '',
  password: '',
  passwordConfirm: '',
  code: '',
}

/** A form with all features of forms: error messages, input masks, and the list of rules for a password. */
export function GalleryForm() {
  const { t } = useTranslation('gallery')
  const { language } = usePlace()
  const { registration } = useConfiguration()
  const [sent, setSent] = useState(false)
  // Enables every rule of passwords, whatever the operator has configured.
  const policy = { ...registration.passwordPolicy, alphabeticalEnabled: true, specialCharacterEnabled: true }
  const form = useForm({
    initial: NOTHING,
    schema: async () => (await import('./gallery-form.schema.ts')).galleryForm(policy),
    onSubmit: async () => setSent(true),
  })
  return (
    <GallerySection title={t('sections.form')}>
      <Form form={form} label={t('sections.form')} className={styles.form}>
        <TextInput form={form} name="email" type="email" autoComplete="username" label={t('email')} />
        <TextInput
          form={form}
          name="emailConfirm"
          type="email"
          autoComplete="off"
          label={t('form.emailConfirm')}
        />
        <SelectInput
          form={form}
          name="language"
          label={t('form.language')}
          options={LANGUAGES.map((code) => ({ id: code, title: languageTitle(code, language) }))}
        />
        <TextInput
          form={form}
          name="phoneNumber"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          isRequired={false}
          mask={phoneMask}
          label={t('form.phoneNumber')}
        />
        <TextInput
          form={form}
          name="zip"
          inputMode="numeric"
          autoComplete="postal-code"
          mask={digitsOnly}
          label={t('form.zip')}
        />
        <TextInput
          form={form}
          name="code"
          type="password"
          inputMode="numeric"
          autoComplete="off"
          mask={codeMask(CODE_DIGITS)}
          label={t('form.code')}
        />
        <NewPasswordInput form={form} name="password" policy={policy} label={t('form.password')} />
        <PasswordInput
          form={form}
          name="passwordConfirm"
          autoComplete="new-password"
          label={t('form.passwordConfirm')}
        />
        <FormRefusal form={form} />
        <div className={styles.row}>
          <SubmitButton form={form} pending={t('form.pending')}>
            {t('form.submit')}
          </SubmitButton>
          <output>{sent && t('form.sent')}</output>
        </div>
      </Form>
    </GallerySection>
  )
}
