import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { Button } from '../../design/button.tsx'
import { TextField } from '../../design/text-field.tsx'
import { Waves } from '../../design/waves.tsx'
import { useSession } from './session.ts'
import { type Credentials, faultsOf, forgetVisitor, signIn } from './sign-in.ts'
import styles from './sign-in-screen.module.css'

// Only a demonstration has accounts that may be told to anyone.
const DemonstrationAccounts = lazy(() => import('./demonstration-accounts.tsx'))

const NONE: Credentials = { username: '', password: '' }

/** Where one gets in. `back` is the page that was asked for. */
export function SignInScreen({ back }: { back: string }) {
  const { t } = useTranslation()
  const { storefront } = useSession()
  const router = useRouter()
  const queries = useQueryClient()
  const [credentials, setCredentials] = useState(NONE)
  const [left, setLeft] = useState<Partial<Record<keyof Credentials, boolean>>>({})
  const [shown, setShown] = useState(false)
  const [pending, setPending] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const faults = faultsOf(credentials)

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    setLeft({ username: true, password: true })
    setRefusal(undefined)
    if (Object.keys(faults).length > 0) return
    setPending(true)
    try {
      await signIn(credentials)
      await forgetVisitor(queries)
      await router.navigate({ href: back, replace: true })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setRefusal(error.details === null && error.status >= 500 ? t('errors.offline') : error.message)
      setPending(false)
    }
  }

  /** A field says what is wrong once it was left, or once all of it was sent (V5). */
  function fault(field: keyof Credentials): string | undefined {
    const found = left[field] === true ? faults[field] : undefined
    return found === undefined ? undefined : t(`signIn.${found}`)
  }

  function change(field: keyof Credentials): (value: string) => void {
    return (value) => {
      setCredentials((before) => ({ ...before, [field]: value }))
      setRefusal(undefined)
    }
  }

  return (
    <div className={styles.screen}>
      <Waves />
      <div className={styles.panel}>
        <h1 className={styles.title}>{t('signIn.title')}</h1>
        <p className={styles.lead}>{t('signIn.lead')}</p>
        <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
          <TextField
            name="username"
            type="email"
            autoComplete="username"
            label={t('signIn.email')}
            value={credentials.username}
            error={fault('username')}
            onChange={change('username')}
            onBlur={() => setLeft((before) => ({ ...before, username: credentials.username !== '' }))}
          />
          <TextField
            name="password"
            type={shown ? 'text' : 'password'}
            autoComplete="current-password"
            label={t('signIn.password')}
            value={credentials.password}
            error={fault('password')}
            onChange={change('password')}
            side={
              <Button
                look="plain"
                className={styles.show}
                aria-label={t(shown ? 'signIn.hidePasswordLabel' : 'signIn.showPasswordLabel')}
                onPress={() => setShown(!shown)}
              >
                {t(shown ? 'signIn.hidePassword' : 'signIn.showPassword')}
              </Button>
            }
          />
          <p role="alert" className={styles.refusal}>
            {refusal}
          </p>
          <Button type="submit" look="primary" isDisabled={pending}>
            {t(pending ? 'signIn.pending' : 'signIn.submit')}
          </Button>
        </form>
        {storefront.demonstration && (
          <Suspense>
            <DemonstrationAccounts
              onChoose={(chosen) => {
                setCredentials(chosen)
                setRefusal(undefined)
              }}
            />
          </Suspense>
        )}
      </div>
    </div>
  )
}
