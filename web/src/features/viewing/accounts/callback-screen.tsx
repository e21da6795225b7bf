import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../api/api-error.ts'
import { ButtonLink } from '../../../design/buttons/button.tsx'
import { refusalText } from '../../ground/errors/refusal-text.ts'
import { reportFault } from '../../ground/errors/report-fault.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { internalPath } from '../../ground/links/internal-path.ts'
import { comeBack } from '../../people/sign-in/sign-on.ts'
import { AuthPanel } from './auth-panel.tsx'
import { ConsentDeclined } from './consent.ts'
import { tokenQuery } from './deep-link.ts'
import { useSignInSteps } from './use-sign-in-steps.ts'

/**
 * The result of each answer of the identity provider, by its query string: the reason of a failed sign-in, or
 * undefined after a sign-in. An answer is valid only once, but React mounts this screen again before the next page and
 * on Back. Therefore the results are cached.
 */
const outcomes = new Map<string, Promise<string | undefined>>()

/**
 * Returns whether a query string is an answer of the identity provider. Each answer without a token has `state`
 * (RFC 6749, 4.1.2).
 */
function isAnswer(query: string): boolean {
  return new URLSearchParams(query).has('state')
}

/** The screen to which the operator's identity provider redirects (A2.1-02). */
export function CallbackScreen() {
  const { t, i18n } = useTranslation()
  const signedIn = useSignInSteps()
  const [refused, setRefused] = useState<string>()

  useEffect(() => {
    // Some sign-in pages put their answer into the fragment, which browsers do not send to servers.
    const query =
      tokenQuery(location) ?? [location.search, location.hash.replace('#', '?')].find(isAnswer) ?? ''

    /** @returns the reason of a failed sign-in; undefined if the viewer is signed in */
    async function finish(query: string): Promise<string | undefined> {
      try {
        const back = await comeBack(query)
        await signedIn(internalPath(back) ?? '/')
        return undefined
      } catch (error) {
        if (error instanceof ConsentDeclined) return t('auth.declined')
        if (error instanceof ApiError) return refusalText(error, t, (key) => i18n.exists(key))
        reportFault(error)
        return t('errors.unknown')
      }
    }

    async function outcomeOf(query: string): Promise<string | undefined> {
      // The address of the next page, which is opening, is not an answer.
      if (query === '')
        return outcomes.size > 0 ? await [...outcomes.values()].at(-1) : t('auth.callbackNothing')
      const outcome = outcomes.get(query) ?? finish(query)
      outcomes.set(query, outcome)
      return await outcome
    }

    const outcome = outcomeOf(query)
    let isHere = true
    async function show(): Promise<void> {
      const reason = await outcome
      if (isHere) setRefused(reason)
    }
    void show()
    return () => {
      isHere = false
    }
  }, [signedIn, t, i18n])

  if (refused === undefined)
    return <AuthPanel title={t('auth.callbackTitle')} lead={t('auth.callbackPending')} />
  return (
    <AuthPanel title={t('auth.callbackFailed')} lead={refused}>
      <ButtonLink look="primary" to={pathOf('auth-login')}>
        {t('auth.toSignIn')}
      </ButtonLink>
    </AuthPanel>
  )
}
