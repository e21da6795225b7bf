import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Waves } from '../../design/waves.tsx'
import { Form } from '../../forms/form.tsx'
import { FormRefusal } from '../../forms/form-refusal.tsx'
import { PasswordInput } from '../../forms/password-input.tsx'
import { SubmitButton } from '../../forms/submit-button.tsx'
import { TextInput } from '../../forms/text-input.tsx'
import { useForm } from '../../forms/use-form.ts'
import { providerError } from '../errors/provider-errors.ts'
import { DemonstrationAccounts } from './demonstration-accounts.tsx'
import { useSession } from './session.ts'
import { type Credentials, forgetVisitor, signIn } from './sign-in.ts'
import styles from './sign-in-screen.module.css'

const NONE: Credentials = { username: '', password: '' }

/** Where one gets in. `back` is the page that was asked for. */
export function SignInScreen({ back }: { back: string }) {
  const { t } = useTranslation()
  const { storefront } = useSession()
  const router = useRouter()
  const queries = useQueryClient()
  const form = useForm({
    initial: NONE,
    refusalText: (error) => providerError(error, t)?.text,
    schema: async () => (await import('./sign-in.schema.ts')).signInForm,
    onSubmit: async (credentials) => {
      await signIn(credentials)
      await forgetVisitor(queries)
      await router.navigate({ href: back, replace: true })
    },
  })

  return (
    <div className={styles.screen}>
      <Waves />
      <div className={styles.panel}>
        <h1 className={styles.title}>{t('signIn.title')}</h1>
        <p className={styles.lead}>{t('signIn.lead')}</p>
        <Form form={form} className={styles.form}>
          <TextInput
            form={form}
            name="username"
            type="email"
            autoComplete="username"
            label={t('signIn.email')}
          />
          <PasswordInput
            form={form}
            name="password"
            autoComplete="current-password"
            label={t('signIn.password')}
          />
          <FormRefusal form={form} />
          <SubmitButton form={form} pending={t('signIn.pending')}>
            {t('signIn.submit')}
          </SubmitButton>
        </Form>
        {/* Not loaded later: the form would move when they come. */}
        {storefront.demonstration && <DemonstrationAccounts onChoose={form.fill} />}
      </div>
    </div>
  )
}
