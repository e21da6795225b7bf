import { hasIdentityProvider } from '@ondine/contract/identity-provider'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../api/api-error.ts'
import { CODES } from '../../../api/codes.ts'
import { isNative } from '../../../api/native.ts'
import { Button, ButtonLink } from '../../../design/buttons/button.tsx'
import { TextLink } from '../../../design/buttons/link.tsx'
import { Form } from '../../../forms/form.tsx'
import { FormRefusal } from '../../../forms/form-refusal.tsx'
import { PasswordInput } from '../../../forms/password-input.tsx'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { TextInput } from '../../../forms/text-input.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { modal } from '../../../modals/modal.ts'
import { usePlace } from '../../../words/place.tsx'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { providerError } from '../../ground/errors/provider-errors.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { isTelevision } from '../../ground/platform/use-platform.ts'
import { useSession } from '../../ground/session/session.ts'
import { type Credentials, signIn } from '../../people/sign-in/sign-in.ts'
import { leaveForProvider } from '../../people/sign-in/sign-on.ts'
import { AuthPanel } from './auth-panel.tsx'
import { ConsentDeclined } from './consent.ts'
import { DemonstrationAccounts } from './demonstration-accounts.tsx'
import styles from './sign-in-screen.module.css'
import { useSignInSteps } from './use-sign-in-steps.ts'
import { Resend } from './verify-screen.tsx'

const NONE: Credentials = { username: '', password: '' }

/**
 * The sign-in screen (A2.1-01). The viewer signs in with an e-mail address or at the operator's identity provider,
 * or creates an account. `back` is the page that the viewer requested.
 */
export function SignInScreen({ back }: { back: string }) {
  const { t } = useTranslation()
  const { accounts } = useConfiguration()
  const { mode } = accounts.authentication
  // With `sso`, nothing else is on the screen. A press then tells that the provider is not set up (A8.3-07).
  const hasProvider = mode === 'sso' || hasIdentityProvider(accounts.authentication)
  return (
    <AuthPanel title={t('signIn.title')} lead={t('signIn.lead')}>
      {isTelevision() && (
        <div className={styles.pair}>
          <ButtonLink to={pathOf('pair')}>{t('pairing.title')}</ButtonLink>
        </div>
      )}
      {mode === 'password' && <ByEmail back={back} headed={hasProvider} />}
      {mode === 'password' && hasProvider && <p className={styles.or}>{t('auth.or')}</p>}
      {hasProvider && <ByProvider back={back} />}
      {mode === 'password' && accounts.isAllowedToRegister && (
        <p className={styles.line}>
          {t('auth.newHere')} <TextLink to={pathOf('register')}>{t('auth.create')}</TextLink>
        </p>
      )}
    </AuthPanel>
  )
}

function ByEmail({ back, headed }: { back: string; headed: boolean }) {
  const { t } = useTranslation()
  const { storefront } = useSession()
  const signedIn = useSignInSteps()
  const [declined, setDeclined] = useState(false)
  // The address that the form refused, because its account is not activated yet.
  const [inactive, setInactive] = useState<string>()
  const form = useForm({
    initial: NONE,
    refusalOf: (error) => providerError(error, t),
    schema: async () => (await import('./sign-in.schema.ts')).signInForm,
    onSubmit: async (credentials) => {
      setInactive(undefined)
      try {
        await signIn(credentials)
      } catch (error) {
        if (error instanceof ApiError && error.code === CODES.accountNotActivated)
          setInactive(credentials.username)
        throw error
      }
      try {
        await signedIn(back)
      } catch (error) {
        if (!(error instanceof ConsentDeclined)) throw error
        setDeclined(true)
      }
    },
  })
  return (
    <>
      {headed && <h2 className={styles.way}>{t('auth.withEmail')}</h2>}
      <Form form={form} className={styles.form} label={t('auth.withEmail')}>
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
        {form.refusal !== undefined && inactive !== undefined && <Resend email={inactive} />}
        {declined && <p role="alert">{t('auth.declined')}</p>}
        <SubmitButton form={form} pending={t('signIn.pending')}>
          {t('signIn.submit')}
        </SubmitButton>
      </Form>
      <ForgottenPassword />
      {/* Part of the screen's code, because the form would move if the demonstration's accounts arrived later. */}
      {storefront.demonstration && <DemonstrationAccounts onChoose={form.fill} />}
    </>
  )
}

/**
 * The link for a forgotten password. The configuration decides whether the link leads to this service or to
 * another site, or is missing (A2.2-04).
 */
function ForgottenPassword() {
  const { t } = useTranslation()
  const { mode, url } = useConfiguration().accounts.resetPassword
  if (mode === 'disabled' || (mode !== 'internal' && url === '')) return null
  return (
    <p className={styles.line}>
      {mode === 'external-popup' ? (
        <Button
          look="plain"
          className={styles.link}
          onPress={() => void modal.open('resetPassword', { link: url })}
        >
          {t('auth.forgot')}
        </Button>
      ) : (
        <TextLink to={mode === 'internal' ? pathOf('auth-password-forgot') : url}>
          {t('auth.forgot')}
        </TextLink>
      )}
    </p>
  )
}

function ByProvider({ back }: { back: string }) {
  const { t } = useTranslation()
  const { language } = usePlace()
  const { providerName } = useConfiguration().accounts.authentication
  const [leaving, setLeaving] = useState(false)

  useEffect(() => {
    // A persisted page comes from the back/forward cache, in the state in which the viewer left it.
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) setLeaving(false)
    }
    addEventListener('pageshow', onShow)
    return () => removeEventListener('pageshow', onShow)
  }, [])

  async function leave(): Promise<void> {
    setLeaving(true)
    let isLeft = false
    try {
      await leaveForProvider(back)
      // The app stays open behind the browser that shows the provider.
      isLeft = !isNative()
    } finally {
      // The alert for uncaught errors shows an error (A8.3).
      if (!isLeft) setLeaving(false)
    }
  }

  return (
    <Button className={styles.provider} isPending={leaving} onPress={() => void leave()}>
      {leaving
        ? t('auth.leaving')
        : t('auth.withProvider', { name: providerName[language] || t('auth.provider') })}
    </Button>
  )
}
