import { createAccount } from '@ondine/contract/account-calls'
import { askedFields } from '@ondine/contract/account-names'
import { useEffect, useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { call } from '../../../api/call.ts'
import { TextLink } from '../../../design/buttons/link.tsx'
import { CheckInput } from '../../../forms/check-input.tsx'
import { Form } from '../../../forms/form.tsx'
import { FormRefusal } from '../../../forms/form-refusal.tsx'
import { NewPasswordInput } from '../../../forms/new-password-input.tsx'
import { PasswordInput } from '../../../forms/password-input.tsx'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { TextInput } from '../../../forms/text-input.tsx'
import { type FormHandle, useForm } from '../../../forms/use-form.ts'
import { serviceNow } from '../../ground/clock/browser-clock.ts'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { providerError } from '../../ground/errors/provider-errors.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { useSession } from '../../ground/session/session.ts'
import { AccountFieldInput } from '../accounts/account-field.tsx'
import { AuthPanel } from '../accounts/auth-panel.tsx'
import {
  accountOf,
  EMPTY_REGISTRATION,
  type RegistrationValues,
  SECTIONS,
} from '../accounts/registration-form.ts'
import panel from '../accounts/sign-in-screen.module.css'
import { AddProfile } from './add-profile.tsx'
import { keep, kept } from './kept.ts'
import styles from './registration.module.css'
import { useRegistration } from './use-registration.ts'

const DRAFT = 'registration-draft'

/** The form of a new account (A2.1-07), with its sections in order. The configuration selects the fields. */
export function InformationsScreen() {
  const { t } = useTranslation()
  const { registration } = useConfiguration()
  const { send } = useRegistration('register-informations')
  const { account } = useSession()
  const form = useForm({
    initial: EMPTY_REGISTRATION,
    refusalOf: (error) => providerError(error, t),
    schema: async () =>
      (await import('../accounts/registration.schema.ts')).registrationSchema(registration, serviceNow()),
    onSubmit: async () => {
      const values = form.values()
      await call(createAccount, accountOf(values))
      keep(DRAFT, null)
      send({ type: 'made', email: values.email.trim() })
    },
  })
  const shown = new Set<string>([
    ...ALWAYS,
    ...askedFields(registration),
    ...registration.repeat.map((field) => `${field}Confirm`),
    ...(registration.newsletter ? ['allowNews'] : []),
  ])

  return (
    <AuthPanel title={t('register.title')} lead={t('register.lead')}>
      <Form form={form} className={styles.form} label={t('register.title')}>
        <Draft form={form} />
        {SECTIONS.map(({ section, fields }) => {
          const present = fields.filter((field) => shown.has(field))
          if (present.length === 0) return null
          return (
            <fieldset key={section} className={styles.section}>
              <legend className={styles.legend}>
                {t(present.every(isAgreement) ? 'register.agreements' : `register.${section}`)}
              </legend>
              {present.map((field) => (
                <Field key={field} form={form} name={field} />
              ))}
            </fieldset>
          )
        })}
        <FormRefusal form={form} />
        <SubmitButton form={form} pending={t('register.pending')}>
          {t('register.submit')}
        </SubmitButton>
      </Form>
      {account === null ? (
        <p className={panel.line}>
          {t('register.have')} <TextLink to={pathOf('auth-login')}>{t('auth.toSignIn')}</TextLink>
        </p>
      ) : (
        <div className={panel.actions}>
          <AddProfile onClosed={() => send({ type: 'profileClosed' })} />
        </div>
      )}
    </AuthPanel>
  )
}

/** Fields that the form has with any configuration (A5-11, A5-17). */
const ALWAYS = ['firstName', 'lastName', 'email', 'password', 'acceptTerms'] as const

/** Returns whether a field is an agreement. A section of agreements only has another heading. */
function isAgreement(field: keyof RegistrationValues): boolean {
  return field === 'allowNews' || field === 'acceptTerms'
}

/** Stores the entered values, so that a reload does not lose them. Never stores a password. */
function Draft({ form }: { form: FormHandle<RegistrationValues> }) {
  const { fill } = form
  const values = useWatch({ control: form.control })
  const restored = useRef(false)
  useEffect(() => {
    // Restores the stored values once, after hydration. Later, the form has newer values.
    if (restored.current) return
    restored.current = true
    const draft = kept(DRAFT)
    if (typeof draft === 'object' && draft !== null) fill(draft)
  }, [fill])
  useEffect(() => {
    const { password: _, passwordConfirm: __, acceptTerms: ___, ...draft } = values
    if (Object.values(draft).some((value) => value !== '' && value !== false)) keep(DRAFT, draft)
  }, [values])
  return null
}

function Field({ form, name }: { form: FormHandle<RegistrationValues>; name: keyof RegistrationValues }) {
  const { t } = useTranslation('register')
  const { registration } = useConfiguration()
  switch (name) {
    case 'firstName':
      return <TextInput form={form} name={name} autoComplete="given-name" label={t(name)} />
    case 'lastName':
      return <AccountFieldInput form={form} name={name} isRequired />
    case 'email':
      return <TextInput form={form} name={name} type="email" autoComplete="username" label={t(name)} />
    case 'emailConfirm':
      return <TextInput form={form} name={name} type="email" autoComplete="off" label={t(name)} />
    case 'password':
      return <NewPasswordInput form={form} name={name} policy={registration.passwordPolicy} label={t(name)} />
    case 'passwordConfirm':
      return <PasswordInput form={form} name={name} autoComplete="new-password" label={t(name)} />
    case 'allowNews':
      return <CheckInput form={form} name={name} label={t(name)} />
    case 'acceptTerms':
      return (
        <CheckInput
          form={form}
          name={name}
          isRequired
          label={
            <>
              {t('accept')} <TextLink to={pathOf('legal')}>{t('acceptTerms')}</TextLink>
            </>
          }
        />
      )
    default:
      return <AccountFieldInput form={form} name={name} isRequired={registration.mandatory.includes(name)} />
  }
}
