import { changeAddress, changeDetails } from '@ondine/contract/account-calls'
import { type AccountField, type ADDRESS_FIELDS, askedFields } from '@ondine/contract/account-names'
import type { accountDetails } from '@ondine/contract/accounts'
import type { Configuration } from '@ondine/contract/configuration'
import { ACCOUNT_FIELDS } from '@ondine/contract/configuration-values'
import { customerReference } from '@ondine/contract/customer-reference'
import type { InputOf, OutputOf } from '@ondine/contract/operation'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { call } from '../../../api/call.ts'
import { CODES } from '../../../api/codes.ts'
import { ScreenTitle } from '../../../design/page/screen-title.tsx'
import { CheckInput } from '../../../forms/check-input.tsx'
import { Form } from '../../../forms/form.tsx'
import { FormRefusal } from '../../../forms/form-refusal.tsx'
import { phoneMask } from '../../../forms/masks.ts'
import { PasswordInput } from '../../../forms/password-input.tsx'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { TextInput } from '../../../forms/text-input.tsx'
import { type FormHandle, useForm } from '../../../forms/use-form.ts'
import { serviceNow } from '../../ground/clock/browser-clock.ts'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { providerError } from '../../ground/errors/provider-errors.ts'
import { sessionQuery } from '../../ground/session/session.ts'
import { AccountFieldInput } from './account-field.tsx'
import { accountQuery } from './account-query.ts'
import styles from './account-screen.module.css'
import { isNewEmail, needsPassword } from './new-email.ts'
import { birthDateOf, typedBirthDate } from './registration-form.ts'

type Details = OutputOf<typeof accountDetails>

/** The form with the personal details of the account holder (A2.1). */
export function InformationsScreen() {
  const { t } = useTranslation()
  const { registration } = useConfiguration()
  const queries = useQueryClient()
  const { data: account } = useSuspenseQuery(accountQuery)
  const [said, setSaid] = useState('')
  const presentEmail = useRef(account.email)
  const shown = shownFields(registration, valuesOf(account))
  const form = useForm({
    initial: valuesOf(account),
    refusalOf: (error) =>
      error.code === CODES.signInFailed
        ? { field: 'currentPassword', text: t('account.wrongPassword') }
        : providerError(error, t),
    schema: async () =>
      (await import('./informations.schema.ts')).informationsForm(registration, account, serviceNow()),
    onSubmit: async () => {
      // Removes the message about the previous change before the next result appears.
      setSaid('')
      const values = form.values()
      try {
        // First, because the service refuses more of these values, and then neither call stores anything.
        await call(changeDetails, detailsOf(values, account))
        // A requested address takes effect later. If it stayed in the field, the next change would request it again.
        fill({ email: presentEmail.current, currentPassword: '' })
        await call(changeAddress, addressOf(values))
        setSaid(t('account.saved'))
      } finally {
        // Also after a refusal: the first call may have stored its values, or the account has changed elsewhere.
        void queries.invalidateQueries({ queryKey: accountQuery.queryKey })
        void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
      }
    },
  })

  const { fill } = form

  useEffect(() => {
    if (presentEmail.current === account.email) return
    // The link in the e-mail opens another tab. An address that the viewer has not edited here follows the account.
    if (form.values().email === presentEmail.current) fill({ email: account.email })
    presentEmail.current = account.email
  })

  return (
    <div className={styles.screen}>
      <header>
        <ScreenTitle>{t('account.informations')}</ScreenTitle>
        <p className={styles.lead}>{t('account.informationsLead')}</p>
      </header>
      <Form form={form} className={styles.form} label={t('account.informations')}>
        <TextInput form={form} name="firstName" autoComplete="given-name" label={t('register.firstName')} />
        <AccountFieldInput
          form={form}
          name="lastName"
          isRequired={registration.mandatory.includes('lastName')}
        />
        <TextInput form={form} name="email" type="email" autoComplete="email" label={t('register.email')} />
        <PasswordOfNewEmail form={form} account={account} />
        <output className={styles.note}>
          {account.pendingEmail !== null && t('account.pendingEmail', { email: account.pendingEmail })}
        </output>
        {shown.map((name) => (
          <AccountFieldInput
            key={name}
            form={form}
            name={name}
            isRequired={registration.mandatory.includes(name)}
          />
        ))}
        {registration.newsletter && (
          <CheckInput form={form} name="allowNews" label={t('register.allowNews')} />
        )}
        <FormRefusal form={form} />
        <SubmitButton form={form} pending={t('account.saving')}>
          {t('account.save')}
        </SubmitButton>
        <output className={styles.said}>{said}</output>
      </Form>
      <section className={styles.part} aria-labelledby="support">
        <h2 id="support" className={styles.heading}>
          {t('account.support')}
        </h2>
        <p className={styles.note}>{t('account.reference', { id: customerReference(account.id) })}</p>
      </section>
    </div>
  )
}

/**
 * Returns the fields below the name: the fields that the storefront requests, and other fields in which the
 * account has a value. `lastName` is left out, because the form always shows the name.
 */
function shownFields(
  registration: Configuration['registration'],
  values: Record<AccountField, string>,
): AccountField[] {
  const asked = askedFields(registration)
  return ACCOUNT_FIELDS.filter(
    (field) => field !== 'lastName' && (asked.includes(field) || values[field].trim() !== ''),
  )
}

/**
 * The field for the password. A change of the e-mail address requires the password, because the new address can
 * then reset the password.
 */
function PasswordOfNewEmail({
  form,
  account,
}: {
  form: FormHandle<ReturnType<typeof valuesOf>>
  account: Details
}) {
  const { t } = useTranslation()
  const email = useWatch({ control: form.control, name: 'email' })
  if (!needsPassword(account, email)) return null
  return (
    <PasswordInput
      form={form}
      name="currentPassword"
      autoComplete="current-password"
      label={t('account.currentPassword')}
    />
  )
}

function valuesOf({ metadatas, ...account }: Details) {
  const { birthYear, birthMonth, birthDay } = metadatas
  return {
    firstName: account.firstName,
    lastName: account.lastName,
    email: account.email,
    currentPassword: '',
    title: account.title,
    phoneNumber: phoneMask(account.phoneNumber),
    birthdate:
      birthYear === ''
        ? ''
        : typedBirthDate([birthYear, birthMonth.padStart(2, '0'), birthDay.padStart(2, '0')].join('-')),
    language: account.language,
    allowNews: account.allowNews,
    addressStreet: account.addressStreet,
    addressSecondStreet: account.addressSecondStreet,
    addressThirdStreet: account.addressThirdStreet,
    addressNumber: account.addressNumber,
    addressCity: account.addressCity,
    addressState: account.addressState,
    addressZip: account.addressZip,
    addressCountry: account.addressCountry,
  }
}

function addressOf(values: ReturnType<typeof valuesOf>): InputOf<typeof changeAddress> {
  return {
    addressStreet: values.addressStreet,
    addressSecondStreet: values.addressSecondStreet,
    addressThirdStreet: values.addressThirdStreet,
    addressNumber: values.addressNumber,
    addressCity: values.addressCity,
    addressState: values.addressState,
    addressZip: values.addressZip,
    addressCountry: values.addressCountry,
  } satisfies Record<(typeof ADDRESS_FIELDS)[number], string>
}

function detailsOf(values: ReturnType<typeof valuesOf>, account: Details): InputOf<typeof changeDetails> {
  return {
    firstName: values.firstName,
    lastName: values.lastName,
    // Left out unless it was edited. If the account has moved meanwhile, the old address would request a move back.
    email: isNewEmail(account, values.email) ? values.email : undefined,
    currentPassword: values.currentPassword === '' ? undefined : values.currentPassword,
    // `as`, because the form offers only choices of the contract, and the form's schema has validated the choice.
    title: values.title as InputOf<typeof changeDetails>['title'],
    language: values.language as InputOf<typeof changeDetails>['language'],
    phoneNumber: values.phoneNumber.replaceAll(' ', ''),
    dateofbirth: birthDateOf(values.birthdate),
    allowNews: values.allowNews,
  }
}
