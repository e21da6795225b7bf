import { anonymizeMe, updatePassword } from '@ondine/contract/account-calls'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../api/call.ts'
import { CODES } from '../../../api/codes.ts'
import { Button } from '../../../design/buttons/button.tsx'
import { ScreenTitle } from '../../../design/page/screen-title.tsx'
import { Form } from '../../../forms/form.tsx'
import { FormRefusal } from '../../../forms/form-refusal.tsx'
import { PasswordInput } from '../../../forms/password-input.tsx'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { modal } from '../../../modals/modal.ts'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { providerError } from '../../ground/errors/provider-errors.ts'
import { isRenewedElsewhere, plansFromElsewhere } from '../../rights/subscriptions/elsewhere.ts'
import { optionsQuery } from '../../rights/subscriptions/queries.ts'
import { accountQuery } from './account-query.ts'
import styles from './account-screen.module.css'
import { NewPasswordFields } from './new-password-fields.tsx'

const NOTHING = { currentPassword: '', password: '', passwordConfirm: '' }

/** The screen on which the viewer changes the password or deletes the account (A2.1). */
export function SecurityScreen() {
  const { t } = useTranslation('account')
  const { data: account } = useSuspenseQuery(accountQuery)
  const remaining = useRemainingPlans()
  return (
    <div className={styles.screen}>
      <header>
        <ScreenTitle>{t('security')}</ScreenTitle>
        <p className={styles.lead}>{t('securityLead')}</p>
      </header>
      {account.hasPassword ? <ChangePassword /> : <p>{t('noPassword')}</p>}
      <section className={styles.part} aria-labelledby="delete">
        <h2 id="delete" className={styles.heading}>
          {t('delete')}
        </h2>
        <p className={styles.note}>{t('deleteLead')}</p>
        {remaining.map((text) => (
          <p key={text} className={styles.note}>
            {text}
          </p>
        ))}
        <Button onPress={() => void deleteAccount()}>{t('delete')}</Button>
      </section>
    </div>
  )

  async function deleteAccount(): Promise<void> {
    const sure = await modal.open('confirm', {
      title: t('deleteTitle'),
      description: [t('deleteText'), ...remaining].join(' '),
      primaryLabel: t('deleteConfirm'),
      negativeLabel: t('deleteKeep'),
    })
    if (!sure) return
    await call(anonymizeMe, {})
    // A new page from the service, so that no data of the account stays in memory.
    location.assign('/')
  }
}

/**
 * Returns a text for each plan that its seller goes on charging after the account is deleted. If the plans are not
 * known, as for a suspended account, returns one text that names none.
 */
function useRemainingPlans(): string[] {
  const { t } = useTranslation()
  const { data: options } = useQuery(optionsQuery)
  if (options === undefined) return [t('account.deleteUnknown')]
  return plansFromElsewhere(options)
    .filter(isRenewedElsewhere)
    .map(({ title, source }) => t('account.deleteElsewhere', { title, where: t(`products.${source}`) }))
}

function ChangePassword() {
  const { t } = useTranslation()
  const policy = useConfiguration().registration.passwordPolicy
  const [changed, setChanged] = useState(false)
  const form = useForm({
    initial: NOTHING,
    refusalOf: (error) =>
      error.code === CODES.signInFailed
        ? { field: 'currentPassword', text: t('account.wrongPassword') }
        : providerError(error, t),
    schema: async () => (await import('./new-password.schema.ts')).changePasswordForm(policy),
    onSubmit: async (sent) => {
      setChanged(false)
      await call(updatePassword, sent)
      fill(NOTHING)
      setChanged(true)
    },
  })
  const { fill } = form
  return (
    <Form form={form} className={styles.form} label={t('account.changePassword')}>
      <PasswordInput
        form={form}
        name="currentPassword"
        autoComplete="current-password"
        label={t('account.currentPassword')}
      />
      <NewPasswordFields form={form} password="password" confirm="passwordConfirm" />
      <FormRefusal form={form} />
      <SubmitButton form={form} pending={t('account.saving')}>
        {t('account.changePassword')}
      </SubmitButton>
      <output className={styles.said}>{changed && t('account.passwordChanged')}</output>
    </Form>
  )
}
